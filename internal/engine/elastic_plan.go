package engine

import "slices"

// shrinkAndEvict makes room for g by cuts and victims together, where that costs less than best, the cheapest plan of
// victims alone.
func (s *State) shrinkAndEvict(g *gang, r *request, cuts []surplus, best *plan) bool {
	if len(cuts) == 0 {
		return false
	}
	p := s.planBeside(g, r, cuts)
	if p == nil {
		return false
	}
	cuts = slices.DeleteFunc(cuts, func(c surplus) bool { return slices.Contains(p.victims, c.gang) })
	for _, v := range p.victims {
		s.release(v)
	}
	cuts = s.leastCut(g, r, cuts)
	mixed := s.rightful(g, r, p.victims)
	var slot Slot
	fits := mixed != nil && len(cuts) > 0 && s.mayCut(g, r, cuts)
	if fits {
		mixed.inside = p.inside
		if fits = mixed.better(best); fits {
			slot, fits = s.find(g, r, &r.later)
		}
	}
	for _, c := range cuts {
		c.release(-1)
	}
	for _, v := range p.victims {
		s.restore(v)
	}
	if fits {
		s.carryOut(g, mixed, slot, false, cuts)
	}
	return fits
}

// planBeside returns the cheapest plan for g as if all cuts were made already.
func (s *State) planBeside(g *gang, r *request, cuts []surplus) *plan {
	whole, floor := map[*gang]*Berth{}, map[*gang]*Berth{}
	var order []*gang
	for _, c := range cuts {
		v := c.gang
		if whole[v] == nil {
			b := *v.Berth
			b.Slot = cloneSlot(b.Slot)
			whole[v], floor[v] = v.Berth, &b
			order = append(order, v)
		}
		role := &floor[v].Slot.Roles[c.role]
		role.Nodes = role.Nodes[:len(role.Nodes)-c.ranks]
	}
	for _, v := range order {
		s.exchange(v, floor[v])
	}
	r.pool.byCost = nil
	p, _ := s.plan(g, r)
	for _, v := range order {
		s.exchange(v, whole[v])
	}
	r.pool.byCost = nil
	return p
}

// exchange gives v another berth for a trial.
func (s *State) exchange(v *gang, b *Berth) {
	s.withdraw(v)
	v.Berth = b
	s.enter(v)
}
