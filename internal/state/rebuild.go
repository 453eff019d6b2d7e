package state

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// rebuild returns the berth of a gang whose status says nothing of one while its pods are there, as after a backup was
// restored: the nodes that the pods of its latest released attempt are on. A rank that has no pod counts for nothing.
func (c *Cache) rebuild(g *gang) *engine.Berth {
	attempts := c.attempts(g)
	for _, attempt := range slices.Backward(attempts) {
		if slot, ok := c.slotOfPods(g, attempt); ok {
			return &engine.Berth{State: engine.Occupied, Attempt: attempt, Slot: slot, Started: now(g.obj.CreationTimestamp.Time)}
		}
	}
	return nil
}

// slotOfPods returns where the pods of an attempt are; false if none is bound to a node of a pool.
func (c *Cache) slotOfPods(g *gang, attempt int) (engine.Slot, bool) {
	slot := engine.Slot{}
	for i := range g.obj.Spec.Roles {
		role := &g.obj.Spec.Roles[i]
		if !role.InSlot() {
			continue
		}
		slot.Roles = append(slot.Roles, engine.RoleSlot{Role: role.Name, Nodes: c.nodesOfRole(g, role.Name, attempt)})
	}
	for _, r := range slot.Roles {
		for _, name := range r.Nodes {
			if pool, _ := c.engine.NodePool(name); pool != "" {
				slot.Pool = pool
				return slot, true
			}
		}
	}
	return slot, false
}

// nodesOfRole returns the nodes of a role's live pods by rank.
func (c *Cache) nodesOfRole(g *gang, role string, attempt int) []string {
	byIndex := map[int]string{}
	var indexes []int
	for _, j := range c.jobsOf[g.key] {
		if !g.owns(j) || j.attempt != attempt || j.role != role {
			continue
		}
		for _, p := range c.podsOf[j.uid] {
			if p.bound && !p.ended && p.index >= 0 {
				if _, seen := byIndex[p.index]; !seen {
					indexes = append(indexes, p.index)
				}
				byIndex[p.index] = p.node
			}
		}
	}
	slices.Sort(indexes)
	nodes := make([]string, 0, len(indexes))
	for _, i := range indexes {
		nodes = append(nodes, byIndex[i])
	}
	return nodes
}
