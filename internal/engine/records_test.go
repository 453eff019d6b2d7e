package engine_test

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// records is what a caller knows: all that was told to the engine, kept apart from it, so that what the engine decides can
// be judged by what is written down.
type records struct {
	now     engine.Time
	pools   map[string]engine.Pool
	cordons map[string][][]string
	nodes   map[string]engine.Node
	teams   map[string]engine.Team
	quotas  map[string]engine.Quota
	foreign map[string]engine.Foreign
	gangs   map[string]engine.Gang
}

func newRecords() *records {
	return &records{
		now: hour, pools: map[string]engine.Pool{}, cordons: map[string][][]string{}, nodes: map[string]engine.Node{},
		teams: map[string]engine.Team{}, quotas: map[string]engine.Quota{}, foreign: map[string]engine.Foreign{},
		gangs: map[string]engine.Gang{},
	}
}

// tell gives a state all records: in sorted order, or, backwards, gangs before teams before nodes before pools.
func (r *records) tell(s *engine.State, backwards bool) {
	steps := []func(){
		func() { each(r.pools, backwards, func(p engine.Pool) { s.SetPool(p) }) },
		func() { each(r.nodes, backwards, func(n engine.Node) { s.SetNode(n) }) },
		func() { each(r.teams, backwards, func(t engine.Team) { s.SetTeam(t) }) },
		func() { each(r.quotas, backwards, func(q engine.Quota) { s.SetQuota(q) }) },
		func() { each(r.foreign, backwards, func(f engine.Foreign) { s.SetForeign(f) }) },
		func() { each(r.gangs, backwards, func(g engine.Gang) { s.SetGang(g) }) },
	}
	if backwards {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		step()
	}
	for _, pool := range sortedKeys(r.cordons) {
		s.SetCordons(pool, r.cordons[pool])
	}
}

func each[V any](m map[string]V, backwards bool, f func(V)) {
	keys := sortedKeys(m)
	if backwards {
		slices.Reverse(keys)
	}
	for _, k := range keys {
		f(m[k])
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// poolOf returns the pool that a node belongs to: the oldest that selects it. Drawn pools select by the label pool.
func (r *records) poolOf(n engine.Node) string { return n.Labels["pool"] }

// path returns a node's domain names in its pool, outermost first, its own name last.
func (r *records) path(n engine.Node) []string {
	var out []string
	for _, l := range r.pools[r.poolOf(n)].Levels {
		out = append(out, n.Labels[l.Label])
	}
	return append(out, n.Name)
}

// usable tells whether new pods may go to a node.
func (r *records) usable(n engine.Node) bool {
	if !n.Ready || n.Cordoned {
		return false
	}
	path := r.path(n)
	for _, c := range r.cordons[r.poolOf(n)] {
		if len(c) < len(path) && slices.Equal(c, path[:len(c)]) {
			return false
		}
	}
	return true
}

// depth returns the number of a pool's level: 0 is the pool, -1 unknown.
func depth(p engine.Pool, level string) int {
	switch level {
	case "":
		return 0
	case engine.NodeLevel:
		return len(p.Levels) + 1
	}
	at := slices.IndexFunc(p.Levels, func(l engine.Level) bool { return l.Name == level })
	return at + 1 - boolTo(at < 0, 1)
}

func boolTo(b bool, n int) int {
	if b {
		return n
	}
	return 0
}

// hasLevels tells whether a pool has all levels that a gang names.
func hasLevels(p engine.Pool, g engine.Gang) bool {
	ok := depth(p, g.Required) >= 0 && depth(p, g.Preferred) >= 0
	for _, role := range g.Roles {
		for _, group := range role.Groups {
			ok = ok && depth(p, group.Level) >= 0
		}
	}
	return ok
}

// poolsFor returns the pools that a gang may go to: the one it names, else those of its team's quota, or of the nearest
// ancestor's that names one with the levels asked for.
func (r *records) poolsFor(g engine.Gang) []string {
	if g.Pool != "" {
		if p, ok := r.pools[g.Pool]; ok && hasLevels(p, g) {
			return []string{g.Pool}
		}
		return nil
	}
	for team := g.Team; team != ""; team = r.teams[team].Parent {
		var out []string
		for _, e := range r.quotas[team].Entries {
			if p, ok := r.pools[e.Pool]; ok && !slices.Contains(out, e.Pool) && hasLevels(p, g) {
				out = append(out, e.Pool)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// ancestors returns a team and all above it.
func (r *records) ancestors(team string) []string {
	var out []string
	for team != "" {
		out = append(out, team)
		team = r.teams[team].Parent
	}
	return out
}

// role returns a gang's role by name.
func role(g engine.Gang, name string) engine.Role {
	return g.Roles[slices.IndexFunc(g.Roles, func(r engine.Role) bool { return r.Name == name })]
}

func floor(r engine.Role) int {
	if r.Floor > 0 {
		return min(r.Floor, r.Count)
	}
	return r.Count
}

// pods calls f for every pod of a slot.
func pods(g engine.Gang, slot engine.Slot, f func(pod engine.Pod, node string)) {
	for _, part := range slot.Roles {
		pod := role(g, part.Role).Pod
		for _, node := range part.Nodes {
			f(pod, node)
		}
	}
}

// free returns what is free on the usable nodes of a pool beside foreign pods and the gangs for which holds is true:
// their berths, and the next ones of those that move.
func (r *records) free(pool string, holds func(engine.Gang, *engine.Berth) bool) map[string]engine.Amounts {
	out := map[string]engine.Amounts{}
	for name, n := range r.nodes {
		if r.poolOf(n) == pool && r.usable(n) {
			out[name] = maps.Clone(n.Allocatable)
			take(out[name], n.System)
		}
	}
	for _, f := range r.foreign {
		take(out[f.Node], f.Requests)
	}
	for _, g := range r.gangs {
		for _, b := range []*engine.Berth{g.Berth, g.Next} {
			if b != nil && b.State != engine.Future && holds(g, b) {
				pods(g, b.Slot, func(pod engine.Pod, node string) { take(out[node], pod.Requests) })
			}
		}
	}
	return out
}

func take(from, amounts engine.Amounts) {
	if from == nil {
		return
	}
	for k, q := range amounts {
		from[k] -= q
	}
}
