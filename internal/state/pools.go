package state

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/translate"
)

// SetDomain learns of a pool, or of a domain of one.
func (c *Cache) SetDomain(d *v1alpha1.TopologyDomain) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !d.IsPool() {
		old := c.domains[d.Name]
		c.domains[d.Name] = d
		if old == nil && !d.Spec.Cordoned || old != nil && old.Spec.Cordoned == d.Spec.Cordoned {
			return
		}
		c.cordon(d.Spec.Pool)
		return
	}
	old := c.pools[d.Name]
	c.pools[d.Name] = d
	if old == nil || old.UID != d.UID || !equality.Semantic.DeepEqual(old.Spec, d.Spec) {
		c.engine.SetPool(translate.Pool(d))
		c.cordon(d.Name)
	}
}

// RemoveDomain learns that a pool or domain is gone.
func (c *Cache) RemoveDomain(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.domains[name]; d != nil {
		delete(c.domains, name)
		if d.Spec.Cordoned {
			c.cordon(d.Spec.Pool)
		}
	}
	if c.pools[name] != nil {
		delete(c.pools, name)
		c.engine.RemovePool(name)
		c.changed()
	}
}

// cordon tells the engine which domains of a pool are out of use.
func (c *Cache) cordon(pool string) {
	var all []*v1alpha1.TopologyDomain
	if root := c.pools[pool]; root != nil {
		all = append(all, root)
	}
	for _, name := range slices.Sorted(maps.Keys(c.domains)) {
		all = append(all, c.domains[name])
	}
	c.engine.SetCordons(pool, translate.Cordons(pool, all))
	c.changed()
}
