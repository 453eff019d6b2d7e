package engine

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
)

// repair is P9. A gang with pods on a node that failed gets another slot: the lost pods inside the lowest domain that
// holds its slot, else the whole gang anywhere; where there is none it goes back to its place in the order. A gang on a
// cordoned node is told to move once there is a slot, and runs on until then.
func (s *State) repair() {
	for _, g := range s.holdersOfBerths() {
		if g.Berth == nil || g.Berth.State < Reserved || g.leaf == nil || g.charged == nil || g.over(s.now) {
			continue
		}
		lost, cordoned := s.damage(g.Berth.Slot)
		switch {
		case len(lost) > 0:
			s.blame(lost)
			s.replace(g, append(lost, cordoned...)) // its pods are made anew, none on a cordoned node
		case len(cordoned) > 0 && g.Berth.State == Occupied && g.Berth.Leaving == nil && g.Next == nil:
			if slot, ok := s.anotherSlot(g, cordoned); ok {
				s.tellToMove(g, slot, "", ByFault)
			}
		}
	}
}

// damage returns the nodes of a slot that are gone or not Ready, and those that are only cordoned.
func (s *State) damage(slot Slot) (lost, cordoned []string) {
	for _, r := range slot.Roles {
		for _, name := range r.Nodes {
			n, ok := s.nodes[name]
			switch {
			case !ok || !n.Ready:
				lost = append(lost, name)
			case n.pool != nil && !n.stuck && !n.usable():
				cordoned = append(cordoned, name)
			}
		}
	}
	return lost, cordoned
}

// replace gives a gang whose berth is broken another slot, or takes the berth from it.
func (s *State) replace(g *gang, lost []string) {
	slot, ok := s.anotherSlot(g, lost)
	if !ok {
		slot, ok = s.slotOfPlans(g)
	}
	if !ok {
		s.decide(Decision{Kind: Release, Gang: g.ID, Rule: ByFault})
		s.withdraw(g)
		g.Berth, g.Next = nil, nil
		s.epoch++
		s.enter(g)
		return
	}
	s.decide(Decision{Kind: Replace, Gang: g.ID, Slot: slot, Rule: ByFault})
	s.withdraw(g)
	g.Berth, g.Next = s.reserved(slot), nil
	s.epoch++
	s.enter(g)
}

// slotOfPlans returns a slot for g on nodes that are planned for gangs of lower tiers, whose plans it ends.
func (s *State) slotOfPlans(g *gang) (Slot, bool) {
	p, ok := s.pools[g.Berth.Slot.Pool]
	if !ok {
		return Slot{}, false
	}
	r := s.requestIn(g, p)
	if r == nil {
		return Slot{}, false
	}
	lower := slices.DeleteFunc(slices.Clone(p.planned), func(o *gang) bool { return o.Tier >= g.Tier || o.leaf == nil })
	for _, o := range lower {
		s.release(o)
	}
	s.release(g)
	slot, ok := s.find(g, r, &r.place)
	s.restore(g)
	for _, o := range lower {
		s.restore(o)
	}
	if !ok {
		return Slot{}, false
	}
	for _, o := range lower {
		if s.standsOn(o, slot) {
			s.decide(Decision{Kind: Release, Gang: o.ID, For: g.ID, Rule: ByFault})
			s.assume(o, nil)
		}
	}
	return slot, true
}

// anotherSlot returns a slot for g without the broken nodes: its own with the lost pods put elsewhere in the lowest
// domain that holds it, else a new one.
func (s *State) anotherSlot(g *gang, broken []string) (Slot, bool) {
	p, ok := s.pools[g.Berth.Slot.Pool]
	if !ok {
		return Slot{}, false
	}
	r := s.requestIn(g, p)
	if r == nil {
		return Slot{}, false
	}
	s.release(g)
	defer s.restore(g)
	if slot, ok := s.patched(g, r, broken); ok {
		return slot, true
	}
	return s.find(g, r, &r.place)
}

// patched returns g's slot with the pods of broken nodes put elsewhere in the lowest domain that holds it. Gangs with
// groups are not patched: their groups would have to be broken up.
func (s *State) patched(g *gang, r *request, broken []string) (Slot, bool) {
	level, domain, ok := s.domainOf(g.Berth.Slot)
	if !ok || slices.ContainsFunc(r.place.Roles, func(role place.Role) bool { return len(role.Groups) > 0 }) {
		return Slot{}, false
	}
	kept := cloneSlot(g.Berth.Slot)
	missing := r.place
	missing.Required, missing.Preferred = 0, 0
	missing.Roles = slices.Clone(r.place.Roles)
	missing.Within = &place.Domain{Level: level, Index: domain}
	for i := range kept.Roles {
		kept.Roles[i].Nodes = slices.DeleteFunc(kept.Roles[i].Nodes, func(n string) bool { return slices.Contains(broken, n) })
		missing.Roles[i].Count = len(g.Berth.Slot.Roles[i].Nodes) - len(kept.Roles[i].Nodes)
	}
	staying := s.takings(g, kept)
	takeAll(staying, -1)
	defer takeAll(staying, 1)
	var found place.Slot
	if !s.keeping(g, r.pool, func() (ok bool) { found, ok, _ = s.look(r.pool, &missing); return ok }) {
		return Slot{}, false
	}
	added := s.slotOf(g, r, &missing, found)
	for i := range kept.Roles {
		kept.Roles[i].Nodes = append(kept.Roles[i].Nodes, added.Roles[i].Nodes...)
	}
	return s.ordered(kept), true
}

// domainOf returns the level and domain of a slot in its pool's tree as it is now.
func (s *State) domainOf(slot Slot) (level int, domain int32, ok bool) {
	p, ok := s.pools[slot.Pool]
	if !ok {
		return 0, 0, false
	}
	first := true
	for _, r := range slot.Roles {
		for _, name := range r.Nodes {
			n, ok := s.nodes[name]
			if !ok || n.pool != p {
				continue
			}
			if first {
				level, domain, first = p.tree.NodeLevel(), n.pos, false
				continue
			}
			for domain != p.tree.Ancestor(n.pos, level) {
				domain = p.tree.Levels[level][domain].Parent
				level--
			}
		}
	}
	return level, domain, !first
}

// ordered puts a slot's ranks into depth-first order and names its domain anew.
func (s *State) ordered(slot Slot) Slot {
	for i := range slot.Roles {
		slices.SortStableFunc(slot.Roles[i].Nodes, func(a, b string) int { return int(s.nodes[a].pos - s.nodes[b].pos) })
	}
	return s.named(slot)
}

// named returns the slot with the lowest domain that holds it as it is now.
func (s *State) named(slot Slot) Slot {
	if level, domain, ok := s.domainOf(slot); ok {
		tree := s.pools[slot.Pool].tree
		slot.Level, slot.Domain = tree.Names[level], tree.Path(level, domain)
	}
	return slot
}

func cloneSlot(slot Slot) Slot {
	slot.Roles = slices.Clone(slot.Roles)
	for i := range slot.Roles {
		slot.Roles[i].Nodes = slices.Clone(slot.Roles[i].Nodes)
	}
	return slot
}
