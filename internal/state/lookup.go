package state

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// NodeReady tells whether a node is registered and Ready.
func (c *Cache) NodeReady(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[name]
	return n != nil && n.Ready
}

// MaxRuntime is for how long a gang may run in all, by its own word and its quota's; zero: without bound.
func (c *Cache) MaxRuntime(key types.NamespacedName) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.gangs[key]; g != nil && g.entered != nil {
		return time.Duration(g.entered.MaxRuntime)
	}
	return 0
}

// Rebuilt tells whether a gang's berth is known only from its pods: its status says nothing of one.
func (c *Cache) Rebuilt(key types.NamespacedName) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gangs[key]
	return g != nil && g.obj.Status.Berth == nil && g.berth() != nil
}

// DomainLabel returns the label of the level that a slot lies in, and the values of it that its nodes carry: the outermost
// level's for a slot that spans the pool. No values where a node does not carry the label.
func (c *Cache) DomainLabel(slot engine.Slot) (label string, values []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	label = c.labelOf(slot)
	seen := map[string]bool{}
	for _, r := range slot.Roles {
		for _, name := range r.Nodes {
			n := c.nodes[name]
			if n == nil || n.Labels[label] == "" {
				return label, nil
			}
			seen[n.Labels[label]] = true
		}
	}
	return label, slices.Sorted(maps.Keys(seen))
}

func (c *Cache) labelOf(slot engine.Slot) string {
	if slot.Level == engine.NodeLevel {
		return corev1.LabelHostname
	}
	p := c.pools[slot.Pool]
	if p == nil {
		return ""
	}
	levels := translate.Pool(p).Levels
	for _, l := range levels {
		if l.Name == slot.Level {
			return l.Label
		}
	}
	if len(levels) > 0 {
		return levels[0].Label
	}
	return ""
}

// Asks is how many accelerators all pods of a gang ask for.
func (c *Cache) Asks(g *v1alpha1.GangJob) resource.Quantity {
	c.mu.Lock()
	defer c.mu.Unlock()
	counted := map[string]bool{}
	for _, p := range c.pools {
		if g.Spec.Pool == "" || g.Spec.Pool == p.Name {
			for _, name := range translatedAccelerators(p) {
				counted[name] = true
			}
		}
	}
	if len(counted) == 0 {
		counted[v1alpha1.DefaultAccelerator] = true
	}
	var n int64
	for i := range g.Spec.Roles {
		role := &g.Spec.Roles[i]
		for name, q := range translate.Requests(&role.Template.Spec) {
			if counted[name] {
				n += q * int64(role.Replicas)
			}
		}
	}
	return *resource.NewQuantity(n, resource.DecimalSI)
}
