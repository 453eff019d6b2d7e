package engine

import "slices"

// Decide returns what to do now, in order, and assumes that it is done until events say otherwise.
func (s *State) Decide(now Time) []Decision {
	s.now = now
	s.discount()
	s.sync()
	s.beginPass()
	s.deciding = nil
	s.writeOff()
	s.endRuns()
	s.emptyDrained()
	s.settlePlans()
	s.repair()
	for g := s.head(s.root); g != nil; g = s.head(s.root) {
		g.triedIn = s.pass
		s.try(g)
		g.leaf.skip(g)
	}
	s.keepPromises()
	s.grow()
	return s.deciding
}

// beginPass forgets what was tried in the last pass.
func (s *State) beginPass() {
	s.pass++
	s.passStaleness()
	for _, t := range s.teams {
		t.tried, t.fresh = 0, false
		if t.self != nil {
			t.self.tried, t.self.fresh = 0, false
		}
	}
	s.root.fresh = false
}

// try starts g, or makes a plan for it, in the first pool that allows it; if none does, it notes why.
func (s *State) try(g *gang) {
	pools := s.poolsFor(g)
	for _, p := range pools {
		if r := s.requestOf(g, p); r.cause == NoCause && s.start(g, r) {
			return
		}
	}
	if g.FreeOnly {
		return
	}
	for _, p := range pools {
		if r := s.requestOf(g, p); r.cause == NoCause && s.preempt(g, r) {
			return
		}
	}
	for _, p := range pools {
		if r := s.requestOf(g, p); r.cause == NoCause && s.move(g, r) {
			return
		}
	}
}

// start admits g if quota and room allow it at once. Gangs that could evict it right away are tried for the room first.
func (s *State) start(g *gang, r *request) bool {
	if s.overQuota(g, r) || s.refused(g, r, roomRefusal) {
		return false
	}
	slot, ok := s.find(g, r, &r.place)
	if !ok {
		s.refuse(g, r, roomRefusal)
		return false
	}
	for _, rival := range s.rivals(g, r, slot) {
		if s.admitRival(rival) {
			if s.overQuota(g, r) {
				return false
			}
			if slot, ok = s.find(g, r, &r.place); !ok {
				s.refuse(g, r, roomRefusal)
				return false
			}
		}
	}
	s.decide(Decision{Kind: Admit, Gang: g.ID, Slot: slot})
	s.assume(g, s.reserved(slot))
	return true
}

// overQuota tells whether a limit, or what others do not lend, keeps g out now, and notes it.
func (s *State) overQuota(g *gang, r *request) bool {
	if t, i := g.leaf.overLimit(r.asks, true); t != nil {
		g.told = Explanation{
			Reason: QuotaExceeded, Cause: LimitReached, Pool: r.pool.spec.Name, Resource: s.pairs.list[i].resource,
			Team: t.spec.Name, Asked: r.asks[i], Used: max(t.used[i], t.held[i]), Limit: t.limit[i],
		}
		return true
	}
	if i := s.notLent(g.leaf, r.asks); i >= 0 {
		g.told = Explanation{
			Reason: QuotaExceeded, Cause: NotLendable, Pool: r.pool.spec.Name, Resource: s.pairs.list[i].resource,
			Team: g.leaf.spec.Name, Asked: r.asks[i], Used: s.root.used[i], Capacity: s.capacityOf(i),
		}
		return true
	}
	return false
}

// rivals returns the pending gangs that could evict g at once if it started (P2 a to c): the first of each other team
// that has not been tried in this pass. Inside g's own team the order has seen to it.
func (s *State) rivals(g *gang, r *request, slot Slot) []*gang {
	if g.leaf.quota.MinRuntime > 0 {
		return nil
	}
	var out []*gang
	g.charged = s.usesOf(g, slot)
	g.leaf.charge(g.charged, 1, true, false)
	for _, t := range s.leaves {
		if t == g.leaf || t.tried >= len(t.pending) {
			continue
		}
		h := t.pending[t.tried]
		if !s.queues(h) {
			continue
		}
		if hr := s.requestIn(h, r.pool); hr != nil {
			if rule, _ := s.mayEvict(h, hr.asks, g, s.now); rule != NoRule {
				out = append(out, h)
			}
		}
	}
	g.leaf.charge(g.charged, -1, true, false)
	g.charged = nil
	slices.SortFunc(out, func(a, b *gang) int { return boolInt(s.precedes(b, a)) - boolInt(s.precedes(a, b)) })
	return out
}

// requestIn returns what h asks of p, nil if it may not go there.
func (s *State) requestIn(h *gang, p *pool) *request {
	if !slices.Contains(s.poolsFor(h), p) {
		return nil
	}
	if r := s.requestOf(h, p); r.cause == NoCause {
		return r
	}
	return nil
}

// admitRival starts h if there is room for it, without looking for rivals of its own: those were g's as well.
func (s *State) admitRival(h *gang) bool {
	for _, p := range s.poolsFor(h) {
		r := s.requestOf(h, p)
		if r.cause != NoCause || s.overQuota(h, r) {
			continue
		}
		if slot, ok := s.find(h, r, &r.place); ok {
			s.decide(Decision{Kind: Admit, Gang: h.ID, Slot: slot})
			s.assume(h, s.reserved(slot))
			return true
		}
	}
	return false
}

// decide adds a decision to the pass. The first changes what former passes have found out about rights.
func (s *State) decide(d Decision) {
	if len(s.deciding) == 0 {
		s.forgetRights()
	}
	s.deciding = append(s.deciding, d)
}

// assumedAttempt marks a berth of this pass, which has no number yet.
const assumedAttempt = -1

// reserved returns a berth that is assumed until its record is seen.
func (s *State) reserved(slot Slot) *Berth {
	return &Berth{State: Reserved, Attempt: assumedAttempt, Slot: slot, Since: s.now}
}

// assume gives g another berth until an event about g says what became of it.
func (s *State) assume(g *gang, b *Berth) {
	if g.Berth != nil && (b == nil || len(b.Slot.Roles) == 0 || &b.Slot.Roles[0] != &g.Berth.Slot.Roles[0]) {
		s.epoch++
	}
	s.withdraw(g)
	g.Berth = b
	s.enter(g)
}
