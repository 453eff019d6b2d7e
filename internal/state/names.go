package state

import (
	"maps"
	"slices"
)

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
