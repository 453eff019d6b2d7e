package engine

import (
	"cmp"
	"slices"
)

// settlePlans looks after planned berths (P4), oldest first: a gang starts when its victims have left, or at once where
// a slot is free; its berth is given up when it is held or paused, or lost its quota, its pool or a node.
func (s *State) settlePlans() {
	for _, g := range s.withBerth(Planned) {
		switch {
		case !s.keepsPlan(g):
			s.decide(Decision{Kind: Release, Gang: g.ID})
			s.assume(g, nil)
		case len(s.present(g.Berth.Victims)) == 0:
			s.claim(g)
		default:
			s.startElsewhere(g)
			s.remind(g)
		}
	}
}

// withBerth returns the gangs whose berth is in the state, oldest berth first.
func (s *State) withBerth(state BerthState) []*gang {
	var out []*gang
	for _, p := range s.poolOrder {
		if state == Future {
			out = append(out, p.promised...)
			continue
		}
		for _, g := range p.gangs {
			if g.Berth != nil && g.Berth.State == state && g.Berth.Slot.Pool == p.spec.Name {
				out = append(out, g)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *gang) int { return cmp.Or(cmp.Compare(a.Berth.Since, b.Berth.Since), byID(a, b)) })
	return out
}

// keepsPlan tells whether a planned berth can still become the gang's.
func (s *State) keepsPlan(g *gang) bool {
	p, ok := s.pools[g.Berth.Slot.Pool]
	if !ok || g.leaf == nil || g.charged == nil || g.Held || g.leaf.paused || g.leaf.cyclic {
		return false
	}
	if !slices.Contains(s.poolsFor(g), p) || !s.usableSlot(g.Berth.Slot) {
		return false
	}
	s.count(g, -1)
	over, _ := g.leaf.overLimit(g.charged, false)
	s.count(g, 1)
	return over == nil
}

// claim admits a gang to its planned slot once all of its victims have left. Others may still stand there that were told
// to leave for another plan: then it waits for them. Where somebody else's pods took the room, it gives the berth up.
func (s *State) claim(g *gang) {
	now, ever := true, true
	for _, t := range g.taken {
		p := t.node.pool
		for k, q := range t.amount {
			now = now && (q == 0 || p.room.Free(t.node.pos)[k]+p.pledged[t.node.pos][k] >= q)
			ever = ever && (q == 0 || p.later.Free(t.node.pos)[k] >= 0)
		}
	}
	// Nor does it start while those who were told to leave still fill a limit.
	s.count(g, -1)
	over, _ := g.leaf.overLimit(g.charged, true)
	s.count(g, 1)
	now = now && over == nil
	switch {
	case !ever:
		s.decide(Decision{Kind: Release, Gang: g.ID})
		s.assume(g, nil)
	case now:
		s.startPlanned(g, g.Berth.Slot)
	}
}

// remind tells the victims of a plan again that do not know yet: the notice may have been lost with a crash. A victim
// that called its move off, or may no longer be evicted, ends the plan.
func (s *State) remind(g *gang) {
	if g.Berth == nil || g.Berth.State != Planned {
		return
	}
	r := s.requestIn(g, s.pools[g.Berth.Slot.Pool])
	for _, v := range s.present(g.Berth.Victims) {
		w := s.gangs[v.Gang]
		if w.Berth.Leaving != nil {
			continue
		}
		rule := NoRule
		if r != nil && w.leaf != nil && w.charged != nil && w.MoveRefused < g.Berth.Since {
			s.count(g, -1)
			rule, _ = s.ruleFor(g, r, w)
			s.count(g, 1)
		}
		if rule == NoRule {
			s.decide(Decision{Kind: Release, Gang: g.ID})
			s.assume(g, nil)
			return
		}
		s.tellToLeave(w, g.ID, rule)
	}
}

// usableSlot tells whether new pods may go to every node of a slot.
func (s *State) usableSlot(slot Slot) bool {
	for _, r := range slot.Roles {
		for _, name := range r.Nodes {
			if n, ok := s.nodes[name]; !ok || n.pool == nil || !n.usable() {
				return false
			}
		}
	}
	return true
}

// startPlanned admits a gang to its planned berth's slot, or to another that is free.
func (s *State) startPlanned(g *gang, slot Slot) {
	s.decide(Decision{Kind: Admit, Gang: g.ID, Slot: slot})
	s.assume(g, s.reserved(slot))
}

// startElsewhere admits a planned gang that finds a slot free at once, and spares its victims that were not yet told.
func (s *State) startElsewhere(g *gang) {
	r := s.requestIn(g, s.pools[g.Berth.Slot.Pool])
	if r == nil {
		return
	}
	s.release(g)
	slot, ok := Slot{}, false
	if over, _ := g.leaf.overLimit(r.asks, true); over == nil {
		slot, ok = s.find(g, r, &r.place)
	}
	s.restore(g)
	if !ok {
		return
	}
	victims := s.present(g.Berth.Victims)
	s.startPlanned(g, slot)
	for _, v := range victims {
		w := s.gangs[v.Gang]
		if l := w.Berth.Leaving; l != nil && l.For == g.ID && !l.Signaled {
			s.decide(Decision{Kind: Spare, Gang: w.ID})
			b := *w.Berth
			b.Leaving = nil
			s.assume(w, &b)
		}
	}
}

// emptyDrained tells the gangs of drained teams, and gangs that their users hold, to leave.
func (s *State) emptyDrained() {
	for _, g := range s.holdersOfBerths() {
		if g.Berth.State < Reserved || g.Berth.Leaving != nil || g.over(s.now) {
			continue
		}
		if g.Held || g.leaf != nil && g.leaf.drained {
			s.tellToLeave(g, "", ByDrain)
		}
	}
}

// endRuns ends the gangs whose running time is over.
func (s *State) endRuns() {
	for _, g := range s.holdersOfBerths() {
		if g.over(s.now) {
			s.decide(Decision{Kind: Expire, Gang: g.ID})
		}
	}
}

// holdersOfBerths returns the gangs that hold a berth, pool by pool, by name.
func (s *State) holdersOfBerths() []*gang {
	var out []*gang
	for _, p := range s.poolOrder {
		for _, g := range p.gangs {
			if g.Berth != nil && g.Berth.Slot.Pool == p.spec.Name {
				out = append(out, g)
			}
		}
	}
	return out
}

// over tells whether the gang's running time is over: it is ended, and nothing else is decided for it.
func (g *gang) over(now Time) bool {
	return g.Berth.State == Occupied && g.MaxRuntime > 0 && now >= g.ends(0)
}

// ends returns when an occupied gang's run is over: by its maxRuntime, without one after assumed.
func (g *gang) ends(assumed int64) Time {
	if g.MaxRuntime > 0 {
		return g.Berth.Started + max(g.MaxRuntime-g.Ran, 0)
	}
	return g.Berth.Started + assumed
}
