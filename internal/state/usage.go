package state

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Entitled is what a team has and uses of one resource of one pool, in thousandths.
type Entitled struct {
	Pool, Resource string
	engine.Usage
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
