package engine

import (
	"cmp"
	"slices"
)

// keepPromises is P5: it notes who heads each team's order in each pool, and promises a slot to those who have headed it
// for long enough.
func (s *State) keepPromises() {
	for _, leaf := range s.leaves {
		heads := s.rank(leaf)
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

// rank numbers the gangs of a team's order, and returns those that head it, each with the pool that it heads it in.
func (s *State) rank(leaf *team) map[*gang]*pool {
	heads, headed := map[*gang]*pool{}, map[*pool]bool{}
	n := 0
	for _, g := range leaf.pending {
		g.position = 0
		if !s.queues(g) {
			continue
		}
		n++
		g.position = n
		if len(headed) == len(s.poolOrder) {
			continue
		}
		for _, p := range s.poolsFor(g) {
			if !headed[p] {
				headed[p] = true
				if heads[g] == nil {
					heads[g] = p
				}
			}
		}
	}
	return heads
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
	if g.unpromised == s.epoch {
		return
	}
	slot, at, basis, ok := s.earliest(g, r)
	if !ok {
		g.unpromised = s.epoch
		return
	}
	s.decide(Decision{Kind: Promise, Gang: g.ID, Slot: slot, At: at, Basis: basis})
	s.assume(g, &Berth{State: Future, Slot: slot, Since: s.now, NotBefore: at, Basis: basis})
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
	if g.Berth == nil || g.Berth.State != Future || s.now < g.Berth.NotBefore || v.Berth == nil || regains(v, g) {
		return false
	}
	overrun := v.MaxRuntime == 0 && v.Berth.State == Occupied && s.now >= v.Berth.Started+s.cfg.AssumedRuntime
	return (backfills(v, g) || overrun) && s.standsOn(v, g.Berth.Slot)
}

// regains tells whether v, of a higher tier of g's team, would evict g in its turn: then g has nothing of evicting it.
func regains(v, g *gang) bool { return v.leaf == g.leaf && v.Tier > g.Tier }

// backfills tells whether v came as evictable when o's slot was promised already: those who were there before stay.
func backfills(v, o *gang) bool {
	return v.Evictable && o.Berth != nil && o.Berth.State == Future && v.Berth.Since >= o.Berth.Since
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
			idled := s.countIdle(p, o)
			switch {
			case !s.usableSlot(o.Berth.Slot) || o.Held:
				s.decide(Decision{Kind: Release, Gang: o.ID})
				s.assume(o, nil)
			case idled > s.mayIdle(p):
				s.decide(Decision{Kind: Release, Gang: o.ID, Rule: ByIdle})
				s.assume(o, nil)
				o.PromiseRefused = s.now
			}
		}
	}
}

// mayIdle returns how much a promise may keep idle in p, in thousandths of accelerators times seconds.
func (s *State) mayIdle(p *pool) int64 {
	return mulDiv(mulDiv(p.totalMilli(), 24*hour/second, 1), s.cfg.MaxReservationIdle, 10_000)
}

// lapsesAt returns when o's promised slot will have been idle for too long if nothing changes; zero if never.
func (s *State) lapsesAt(o *gang) Time {
	p, ok := s.pools[o.Berth.Slot.Pool]
	if !ok || o.idledAt == 0 || o.idleOnSlot == 0 {
		return 0
	}
	return o.idledAt + mulDivUp(max(s.mayIdle(p)-o.idled+1, 0), second, o.idleOnSlot)
}

// totalMilli returns the pool's accelerators in thousandths.
func (p *pool) totalMilli() int64 { return 1000 * p.room.Total(0, 0) }

// countIdle returns what o's promised slot has kept idle. The slot's state is taken to be what it was since the last pass.
func (s *State) countIdle(p *pool, o *gang) int64 {
	var idle int64
	for _, t := range s.takings(o, o.Berth.Slot) {
		if t.node.pool == p {
			idle += 1000 * min(max(p.room.NodeIdle(t.node.pos), 0), p.accelerated(t.amount))
		}
	}
	idled := o.idled
	if o.idledAt != 0 {
		idled = addSat(idled, mulDiv(o.idleOnSlot, s.now-o.idledAt, second))
	}
	if o.idledAt == 0 || idle != o.idleOnSlot {
		o.idled, o.idledAt, o.idleOnSlot = idled, s.now, idle
	}
	return idled
}

func byPromise(a, b *gang) int { return cmp.Or(cmp.Compare(a.Berth.Since, b.Berth.Since), byID(a, b)) }
