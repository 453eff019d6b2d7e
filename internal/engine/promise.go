package engine

import (
	"cmp"
	"slices"
)

// keepPromises is P5: it notes who heads each team's order in each pool, and promises a slot to those who have headed it
// for long enough.
func (s *State) keepPromises() {
	heads := map[*gang]*pool{}
	for _, leaf := range s.leaves {
		seen := map[*pool]bool{}
		for _, g := range leaf.pending {
			if len(seen) == len(s.poolOrder) {
				break
			}
			if !s.queues(g) {
				continue
			}
			for _, p := range s.poolsFor(g) {
				if !seen[p] {
					seen[p] = true
					if heads[g] == nil {
						heads[g] = p
					}
				}
			}
		}
	}
	for _, leaf := range s.leaves {
		for _, g := range slices.Clone(leaf.pending) {
			p, heading := heads[g]
			s.noteHead(g, heading)
			if heading {
				s.consider(g, p)
			}
		}
	}
	s.lapse()
}

// noteHead starts or stops the clock of a gang at the head of its team's order.
func (s *State) noteHead(g *gang, heading bool) {
	switch {
	case heading && g.HeadSince == 0:
		s.decide(Decision{Kind: Head, Gang: g.ID, At: s.now})
		g.HeadSince = s.now
	case !heading && g.HeadSince != 0:
		s.decide(Decision{Kind: Head, Gang: g.ID})
		g.Heading, g.HeadSince = g.Heading+s.now-g.HeadSince, 0
	}
}

// consider promises g a slot in p if it has headed its order long enough and the pool and the team may have one more.
func (s *State) consider(g *gang, p *pool) {
	if g.Berth != nil || g.Heading+s.now-g.HeadSince < s.cfg.ReserveAfter || len(p.promised) >= s.cfg.MaxReservations {
		return
	}
	if slices.ContainsFunc(p.promised, func(o *gang) bool { return o.leaf == g.leaf }) || g.PromiseRefused+24*hour > s.now && g.PromiseRefused != 0 {
		return
	}
	r := s.requestIn(g, p)
	if r == nil {
		return
	}
	slot, at, basis, ok := s.earliest(g, r)
	if !ok {
		g.told.Basis = basis
		return
	}
	s.decide(Decision{Kind: Promise, Gang: g.ID, Slot: slot, At: at, Basis: basis})
	s.assume(g, &Berth{State: Future, Slot: slot, Since: s.now, NotBefore: at, Basis: basis})
}

// ending is a running gang and when it is known to end.
type ending struct {
	*gang
	at Time
}

// earliest returns the slot that comes free first for g within quota, when, and who frees it last. Gangs end by their
// maxRuntime, without one when their assumed runtime is over; those that g may evict by then count as released; foreign
// pods never end.
func (s *State) earliest(g *gang, r *request) (slot Slot, at Time, basis string, ok bool) {
	ends := s.endings(g, r.pool)
	var gone []*gang
	defer func() {
		for _, v := range gone {
			s.restore(v)
		}
	}()
	for _, o := range r.pool.promised {
		s.takePromise(o, 1)
		defer s.takePromise(o, -1)
	}
	released := map[*gang]bool{}
	release := func(v *gang) {
		s.release(v)
		gone = append(gone, v)
		released[v] = true
	}
	for i := 0; i < len(ends); {
		at = max(ends[i].at, s.now)
		for ; i < len(ends) && ends[i].at <= at; i++ {
			if !released[ends[i].gang] {
				release(ends[i].gang)
				basis = ends[i].ID
			}
		}
		mark := len(gone)
		for _, v := range s.takenBackAt(g, r, at, released) {
			s.release(v)
			gone = append(gone, v)
		}
		if over, _ := g.leaf.overLimit(r.asks, true); over == nil && s.notLent(g.leaf, r.asks) < 0 {
			if slot, ok = s.findIn(g, r, &r.place); ok {
				return slot, at, basis, true
			}
		}
		for _, v := range gone[mark:] {
			s.restore(v)
		}
		gone = gone[:mark]
	}
	return Slot{}, 0, basis, false
}

// endings returns the gangs that hold room in p, by when they are known to end.
func (s *State) endings(g *gang, p *pool) []ending {
	var out []ending
	for _, v := range p.gangs {
		if v == g || v.leaf == nil || v.charged == nil {
			continue
		}
		out = append(out, ending{v, s.endOf(v)})
	}
	slices.SortFunc(out, func(a, b ending) int { return cmp.Or(cmp.Compare(a.at, b.at), byID(a.gang, b.gang)) })
	return out
}

// endOf returns when v is known to give its room back.
func (s *State) endOf(v *gang) Time {
	switch {
	case v.Berth.Leaving != nil && v.Next == nil:
		return v.Berth.Leaving.Deadline
	case v.Berth.State == Occupied:
		return v.ends(s.cfg.AssumedRuntime)
	case v.MaxRuntime > 0:
		return s.now + max(v.MaxRuntime-v.Ran, 0)
	default:
		return s.now + s.cfg.AssumedRuntime
	}
}

// takenBackAt returns the gangs that g could evict at an instant, as usage will be then, one after the other.
func (s *State) takenBackAt(g *gang, r *request, at Time, released map[*gang]bool) []*gang {
	var out []*gang
	for _, v := range r.pool.gangs {
		if released[v] || v == g || !s.evictable(v) {
			continue
		}
		rule, straddles := s.mayEvict(g, r.asks, v, at)
		if rule == NoRule && !v.Evictable || straddles {
			continue
		}
		s.count(v, -1)
		out = append(out, v)
	}
	for _, v := range out {
		s.count(v, 1)
	}
	return out
}

// takePromise takes a promised slot from the room (sign 1) or gives it back.
func (s *State) takePromise(o *gang, sign int) {
	for _, t := range s.takings(o, o.Berth.Slot) {
		t.node.pool.move(t.node.pos, t.amount, -sign)
	}
}

// owed tells whether v stands on a slot that is promised to g from now on and has to leave it: it was let in as
// evictable, or has no maxRuntime and has run for longer than is assumed.
func (s *State) owed(g, v *gang) bool {
	if g.Berth == nil || g.Berth.State != Future || s.now < g.Berth.NotBefore || v.Berth == nil {
		return false
	}
	overrun := v.MaxRuntime == 0 && v.Berth.State == Occupied && s.now >= v.Berth.Started+s.cfg.AssumedRuntime
	return (v.Evictable || overrun) && s.standsOn(v, g.Berth.Slot)
}

// standsOn tells whether v holds room on a node of the slot.
func (s *State) standsOn(v *gang, slot Slot) bool {
	return slices.ContainsFunc(v.taken, func(t taking) bool {
		return slices.ContainsFunc(slot.Roles, func(r RoleSlot) bool { return slices.Contains(r.Nodes, t.node.Name) })
	})
}

// lapse gives up promises that can no longer be kept, since a node of theirs is out of use or their gang is held, and
// those that have kept too much idle: they come again next day.
func (s *State) lapse() {
	for _, p := range s.poolOrder {
		for _, o := range slices.Clone(p.promised) {
			s.countIdle(p, o)
			day := mulDiv(p.totalMilli(), 24*hour/second, 1)
			switch {
			case !s.usableSlot(o.Berth.Slot) || o.Held:
				s.decide(Decision{Kind: Release, Gang: o.ID})
				s.assume(o, nil)
			case o.idled > mulDiv(day, s.cfg.MaxReservationIdle, 10_000):
				s.decide(Decision{Kind: Release, Gang: o.ID, Rule: ByIdle})
				s.assume(o, nil)
				o.PromiseRefused = s.now
			}
		}
	}
}

// totalMilli returns the pool's accelerators in thousandths.
func (p *pool) totalMilli() int64 { return 1000 * p.room.Total(0, 0) }

// countIdle adds what o's promised slot keeps idle to its account. The slot's state is taken to be what it was since the
// last pass.
func (s *State) countIdle(p *pool, o *gang) {
	if o.idledAt != 0 {
		o.idled += mulDiv(o.idleOnSlot, (s.now-o.idledAt)/second, 1)
	}
	o.idledAt, o.idleOnSlot = s.now, 0
	for _, t := range s.takings(o, o.Berth.Slot) {
		if t.node.pool == p {
			o.idleOnSlot += 1000 * min(max(p.room.NodeIdle(t.node.pos), 0), p.accelerated(t.amount))
		}
	}
}

func byPromise(a, b *gang) int { return cmp.Or(cmp.Compare(a.Berth.Since, b.Berth.Since), byID(a, b)) }
