package simulate

import (
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// namespaceLabel is the label that every namespace has by itself; namespaces of a scenario have no other.
const namespaceLabel = "kubernetes.io/metadata.name"

// owners knows which team has which namespace.
type owners struct {
	teams map[string]*owner
	// names has the teams by name.
	names []string
	// order has them in the order in which they came, which settles who has a namespace that several claim.
	order []string
	// have is the team of each namespace, "" for none.
	have map[string]string
}

// owner is a team with its quota.
type owner struct {
	translate.Owner
	parent string
	limits []engine.Entitlement
}

func newOwners() owners { return owners{teams: map[string]*owner{}, have: map[string]string{}} }

// of returns the team of a namespace: the one that has it, as long as it claims it, else the first that does.
func (o *owners) of(namespace string) string {
	if team, known := o.have[namespace]; known {
		return team
	}
	team := ""
	for _, name := range o.order {
		if t := o.teams[name].Team; t != nil && claims(t, namespace) {
			team = name
			break
		}
	}
	o.have[namespace] = team
	return team
}

func claims(t *v1alpha1.Team, namespace string) bool {
	return translate.Claims(t, namespace, map[string]string{namespaceLabel: namespace})
}

// named returns a team's entry, which is made where it is missing.
func (o *owners) named(name string) *owner {
	if o.teams[name] == nil {
		o.teams[name] = &owner{}
	}
	return o.teams[name]
}

// setTeam learns of a team.
func (r *run) setTeam(t *v1alpha1.Team) {
	o := &r.owners
	entry := o.named(t.Name)
	if entry.Team == nil {
		o.order = append(o.order, t.Name)
		at, _ := slices.BinarySearch(o.names, t.Name)
		o.names = slices.Insert(o.names, at, t.Name)
	}
	entry.Team, entry.parent = t, t.Spec.Parent
	for namespace, team := range o.have {
		if team == "" || !claims(o.teams[team].Team, namespace) {
			delete(o.have, namespace)
		}
	}
	r.s.SetTeam(translate.Team(t))
	r.respecAll()
}

// setQuota learns of a team's quota.
func (r *run) setQuota(q *v1alpha1.Quota) {
	entry := r.owners.named(q.Spec.Team)
	translated := translate.Quota(q)
	entry.Quota, entry.limits = q, translated.Entries
	r.s.SetQuota(translated)
	for _, e := range entry.limits {
		if e.Limit != engine.Unlimited && r.s.Usage(q.Spec.Team, e.Pool, e.Resource).Used > e.Limit {
			r.lowered[entitlementOf{q.Spec.Team, e.Pool, e.Resource}] = true
		}
	}
	r.respecAll()
}

// respecAll tells the scheduler of every gang whose team or quota changed what is to be known of it.
func (r *run) respecAll() {
	for _, g := range r.all {
		if g == nil || g.over() || g.phase == deleted {
			continue
		}
		before := g.Gang
		r.respec(g)
		if before.Team != g.Team || before.Tier != g.Tier || before.MaxRuntime != g.MaxRuntime {
			r.touch(g)
		}
	}
}

// setPool learns of a pool.
func (r *run) setPool(p engine.Pool) {
	r.pools[p.Name] = p
	r.s.SetPool(p)
	r.unjoined = true
}

// setCordons learns which domains of a pool are out of use.
func (r *run) setCordons(pool string, paths [][]string) {
	r.cordons[pool] = paths
	r.s.SetCordons(pool, paths)
}

// joinPools tells the ledger which pool each node is in, when that may have changed.
func (r *run) joinPools() {
	if !r.unjoined {
		return
	}
	r.unjoined = false
	for _, m := range r.ledger.order {
		pool, _ := r.s.NodePool(m.Name)
		r.ledger.join(m, pool, r.pools[pool].Accelerators)
	}
}
