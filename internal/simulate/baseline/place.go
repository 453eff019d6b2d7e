package baseline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/internal/engine"
)

// place finds a node for every pod of a gang, in the first pool where that works, and takes the room; without a slot all
// is as before.
func (s *Scheduler) place(g *engine.Gang) (engine.Slot, bool) {
	for _, pool := range slices.Sorted(maps.Keys(s.pools)) {
		if g.Pool != "" && g.Pool != pool {
			continue
		}
		if slot, ok := s.placeIn(g, pool); ok {
			return slot, true
		}
	}
	return engine.Slot{}, false
}

func (s *Scheduler) placeIn(g *engine.Gang, pool string) (engine.Slot, bool) {
	slot := engine.Slot{Pool: pool}
	var candidates []*Node
	for _, n := range s.byName {
		if n.pool == pool {
			candidates = append(candidates, n)
		}
	}
	undo := func() { s.hold(engine.Gang{Roles: g.Roles, Berth: &engine.Berth{Slot: slot}}, -1, "") }
	for i := range g.Roles {
		role := &g.Roles[i]
		slot.Roles = append(slot.Roles, engine.RoleSlot{Role: role.Name})
		part := &slot.Roles[i]
		for range role.Count {
			n := s.choose(candidates, &role.Pod)
			if n == nil {
				undo()
				return engine.Slot{}, false
			}
			n.take(role.Pod.Requests, 1)
			part.Nodes = append(part.Nodes, n.Name)
		}
	}
	return s.named(slot), true
}

// choose picks a node for a pod; nil where none holds it.
func (s *Scheduler) choose(candidates []*Node, p *engine.Pod) *Node {
	var fit []*Node
	for _, n := range candidates {
		if n.holds(p) {
			fit = append(fit, n)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	s.policy.Order(fit)
	return fit[0]
}

// named tells the lowest level of which one domain holds the slot.
func (s *Scheduler) named(slot engine.Slot) engine.Slot {
	var nodes []*Node
	for _, part := range slot.Roles {
		for _, name := range part.Nodes {
			nodes = append(nodes, s.nodes[name])
		}
	}
	if len(nodes) == 0 {
		return slot
	}
	for _, level := range s.pools[slot.Pool].Levels {
		value := nodes[0].Labels[level.Label]
		if slices.ContainsFunc(nodes, func(n *Node) bool { return n.Labels[level.Label] != value }) {
			return slot
		}
		slot.Level, slot.Domain = level.Name, append(slot.Domain, value)
	}
	if !slices.ContainsFunc(nodes, func(n *Node) bool { return n != nodes[0] }) {
		slot.Level, slot.Domain = engine.NodeLevel, append(slot.Domain, nodes[0].Name)
	}
	return slot
}

// shapeOf is the same for gangs that ask for the same.
func shapeOf(g *engine.Gang) string {
	var b strings.Builder
	b.WriteString(g.Pool)
	for i := range g.Roles {
		r := &g.Roles[i]
		fmt.Fprintf(&b, "|%d", r.Count)
		for _, name := range slices.Sorted(maps.Keys(r.Pod.Requests)) {
			fmt.Fprintf(&b, ",%s=%d", name, r.Pod.Requests[name])
		}
		fmt.Fprintf(&b, ",%v,%v", r.Pod.Selector, r.Pod.Tolerations)
	}
	return b.String()
}
