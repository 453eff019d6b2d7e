package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/translate"
)

// teams knows which team has which namespace.
type teams struct {
	specs      map[string]*v1alpha1.Team
	namespaces map[string]map[string]string // labels by name
	owner      map[string]string            // team by namespace
	stale      bool
}

func newTeams() teams {
	return teams{specs: map[string]*v1alpha1.Team{}, namespaces: map[string]map[string]string{}, owner: map[string]string{}}
}

// of returns the team that has a namespace, empty if none does.
func (t *teams) of(namespace string) string { return t.owner[namespace] }

// resolve works out who has which namespace, and returns the namespaces that changed hands.
func (t *teams) resolve() []string {
	if !t.stale {
		return nil
	}
	t.stale = false
	next := map[string]string{}
	for namespace := range t.namespaces {
		if claimants := t.claimants(namespace); len(claimants) > 0 {
			next[namespace] = t.choose(namespace, claimants)
		}
	}
	var changed []string
	for namespace := range t.namespaces {
		if next[namespace] != t.owner[namespace] {
			changed = append(changed, namespace)
		}
	}
	for namespace := range t.owner {
		if _, exists := t.namespaces[namespace]; !exists {
			changed = append(changed, namespace)
		}
	}
	t.owner = next
	return changed
}

// claimants returns the teams that name a namespace, the oldest first.
func (t *teams) claimants(namespace string) []*v1alpha1.Team {
	var out []*v1alpha1.Team
	for _, team := range t.specs {
		if claims(team, namespace, t.namespaces[namespace]) {
			out = append(out, team)
		}
	}
	slices.SortFunc(out, func(a, b *v1alpha1.Team) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// choose returns who of the claimants gets a namespace: whoever has it, by what its status says and, where that says too
// much or nothing yet, by memory; else the oldest. The status goes first since after a restart teams come one by one.
func (t *teams) choose(namespace string, claimants []*v1alpha1.Team) string {
	recorded := slices.DeleteFunc(slices.Clone(claimants), func(team *v1alpha1.Team) bool {
		return !slices.Contains(team.Status.Namespaces, namespace)
	})
	if len(recorded) == 0 {
		recorded = claimants
	}
	for _, team := range recorded {
		if t.owner[namespace] == team.Name {
			return team.Name
		}
	}
	return recorded[0].Name
}

func claims(team *v1alpha1.Team, name string, set map[string]string) bool {
	return team.DeletionTimestamp == nil && translate.Claims(team, name, set)
}

// held returns the namespaces that a team has, and those that it names and another has, by that other's name.
func (t *teams) held(name string) (has []string, conflicts map[string]string) {
	conflicts = map[string]string{}
	team := t.specs[name]
	if team == nil {
		return nil, conflicts
	}
	for _, namespace := range slices.Sorted(maps.Keys(t.namespaces)) {
		switch owner := t.owner[namespace]; {
		case owner == name:
			has = append(has, namespace)
		case owner != "" && claims(team, namespace, t.namespaces[namespace]):
			conflicts[namespace] = owner
		}
	}
	return has, conflicts
}
