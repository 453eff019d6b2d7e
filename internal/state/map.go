package state

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

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
