package state

import (
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
)

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
