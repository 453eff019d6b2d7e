package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Entitled is what a team has and uses of one resource of one pool, in thousandths.
type Entitled struct {
	Pool, Resource string
	engine.Usage
}

// TeamView is what the cache knows of a team.
type TeamView struct {
	// Namespaces are those it has, Conflicts those that it names and another team has, by that team's name.
	Namespaces []string
	Conflicts  map[string]string
	// ParentKnown tells whether there is a team of the parent's name; true without one.
	ParentKnown bool
	// Cycle tells that the parents lead back to the team.
	Cycle bool
	// Pending, Admitted and Preempting count its own gangs.
	Pending, Admitted, Preempting int32
	Usage                         []Entitled
	// Share is the dominant share in thousandths, Pool and Resource what it is of.
	Share          int64
	Pool, Resource string
}

// Team returns what is known of a team.
func (c *Cache) Team(name string) TeamView {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settleTeams()
	var v TeamView
	v.Namespaces, v.Conflicts = c.teams.held(name)
	v.ParentKnown, v.Cycle = c.teams.ancestry(name)
	n := c.counts[name]
	v.Pending, v.Admitted, v.Preempting = n.pending, n.admitted, n.preempting
	v.Usage = c.usage(name)
	v.Share, v.Pool, v.Resource = c.engine.Share(name)
	return v
}

// usage returns a team's usage of everything that it is entitled to or uses: what its quota names, and the accelerators
// of each pool.
func (c *Cache) usage(team string) []Entitled {
	type pair struct{ pool, resource string }
	pairs := map[pair]bool{}
	for _, p := range c.pools {
		for _, a := range translatedAccelerators(p) {
			pairs[pair{p.Name, a}] = true
		}
	}
	if q := c.quotas[team]; q != nil {
		for _, r := range q.Spec.Resources {
			pairs[pair{r.Pool, r.Resource}] = true
		}
	}
	var out []Entitled
	for p := range pairs {
		u := c.engine.Usage(team, p.pool, p.resource)
		if u.Used != 0 || u.Guaranteed != 0 || u.Lent != 0 || c.names(team, p.pool, p.resource) {
			out = append(out, Entitled{Pool: p.pool, Resource: p.resource, Usage: u})
		}
	}
	slices.SortFunc(out, func(a, b Entitled) int {
		return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Resource, b.Resource))
	})
	return out
}

func (c *Cache) names(team, pool, resource string) bool {
	q := c.quotas[team]
	return q != nil && slices.ContainsFunc(q.Spec.Resources, func(r v1alpha1.ResourceQuota) bool {
		return r.Pool == pool && r.Resource == resource
	})
}

func translatedAccelerators(p *v1alpha1.TopologyDomain) []string {
	if len(p.Spec.Accelerators) == 0 {
		return []string{v1alpha1.DefaultAccelerator}
	}
	out := make([]string, 0, len(p.Spec.Accelerators))
	for _, a := range p.Spec.Accelerators {
		out = append(out, a.Resource)
	}
	return out
}

// ancestry tells whether a team's parent exists, and whether its parents lead in a circle.
func (t *teams) ancestry(name string) (parentKnown, cycle bool) {
	team := t.specs[name]
	if team == nil || team.Spec.Parent == "" {
		return true, false
	}
	parentKnown = t.specs[team.Spec.Parent] != nil
	seen := map[string]bool{name: true}
	for up := t.specs[team.Spec.Parent]; up != nil; up = t.specs[up.Spec.Parent] {
		if seen[up.Name] {
			return parentKnown, true
		}
		seen[up.Name] = true
	}
	return parentKnown, false
}

// QuotaView is what the cache knows of a quota.
type QuotaView struct {
	TeamKnown bool
	// UnknownPools are those that it names and that do not exist.
	UnknownPools []string
	// Usage is that of what it names.
	Usage []Entitled
	// Over are the entries with a guarantee of which all teams together are guaranteed more than the pool holds.
	Over []Overcommitment
}

// Overcommitment says how much more is guaranteed of a pool's resource than it holds, in thousandths.
type Overcommitment struct {
	Pool, Resource       string
	Guaranteed, Capacity int64
}

// Quota returns what is known of a quota.
func (c *Cache) Quota(q *v1alpha1.Quota) QuotaView {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := QuotaView{TeamKnown: c.teams.specs[q.Spec.Team] != nil}
	for _, u := range c.usage(q.Spec.Team) {
		if c.names(q.Spec.Team, u.Pool, u.Resource) {
			v.Usage = append(v.Usage, u)
		}
	}
	for _, r := range q.Spec.Resources {
		if c.pools[r.Pool] == nil {
			if !slices.Contains(v.UnknownPools, r.Pool) {
				v.UnknownPools = append(v.UnknownPools, r.Pool)
			}
			continue
		}
		if guaranteed, capacity, over := c.engine.Overcommitted(r.Pool, r.Resource); over && !r.Guaranteed.IsZero() {
			v.Over = append(v.Over, Overcommitment{r.Pool, r.Resource, guaranteed, capacity})
		}
	}
	return v
}

// Accelerators returns the accelerator resources of a pool with their weights in thousandths.
func (c *Cache) Accelerators(pool string) map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]int64{}
	p := c.pools[pool]
	if p == nil {
		return out
	}
	for _, name := range translatedAccelerators(p) {
		out[name] = 1000
	}
	for _, a := range p.Spec.Accelerators {
		if !a.Weight.IsZero() {
			out[a.Resource] = a.Weight.MilliValue()
		}
	}
	return out
}

// DomainsOf returns the live map of a pool, and the nodes that it selects and an older pool has, by that pool's name.
func (c *Cache) DomainsOf(pool string) (domains []engine.DomainView, overlapping map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	overlapping = map[string]string{}
	for name := range c.nodes {
		owner, others := c.engine.NodePool(name)
		if slices.Contains(others, pool) {
			overlapping[name] = owner
		}
	}
	return c.engine.Domains(pool), overlapping
}

// Teams returns the names of all teams.
func (c *Cache) Teams() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.teams.specs))
}

// Quotas returns the names of all quotas.
func (c *Cache) Quotas() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.quotas))
}

// Pools returns the names of all pools.
func (c *Cache) Pools() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.pools))
}
