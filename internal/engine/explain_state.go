package engine

// Explain says why a gang is pending, as the last pass left it; the zero Explanation for one that is not, or is unknown.
func (s *State) Explain(id string, now Time) Explanation {
	g, ok := s.gangs[id]
	if !ok || g.Berth != nil && g.Berth.State >= Reserved {
		return Explanation{}
	}
	s.now = now
	s.sync()
	if reason, cause := s.standing(g); reason != "" {
		return s.explainStanding(g, reason, cause)
	}
	if g.Berth != nil && g.Berth.State == Planned {
		return s.explainPlan(g)
	}
	e := g.told
	if e.Reason == "" {
		e.Reason = BehindInQueue
	}
	if g.Berth != nil {
		e.Reason, e.Cause, e.ETA, e.Basis = SlotReserved, NoCause, g.Berth.NotBefore, g.Berth.Basis
		e.Pool = g.Berth.Slot.Pool
		if b, ok := s.gangs[e.Basis]; ok && b.assumed() {
			e.ETA = 0 // unknown: nothing but an assumption says when it ends
		}
	}
	if p, ok := s.pools[e.Pool]; ok {
		if r := s.requestIn(g, p); r != nil && e.Reason != QuotaExceeded {
			s.describe(&e, r)
		}
	}
	e.Position = g.position
	return e
}

// explainStanding explains why a gang is in no order.
func (s *State) explainStanding(g *gang, reason Reason, cause Cause) Explanation {
	e := Explanation{Reason: reason, Cause: cause, Team: g.Team, Pool: g.Pool}
	switch {
	case reason == BackingOff:
		e.Until = s.backingOffUntil(g)
	case reason == Infeasible && len(s.poolsFor(g)) > 0:
		s.explainInfeasible(g, cause, &e)
	}
	return e
}

// explainInfeasible adds the numbers of the first pool that the gang asks for.
func (s *State) explainInfeasible(g *gang, cause Cause, e *Explanation) {
	p := s.poolsFor(g)[0]
	r := s.requestOf(g, p)
	e.Pool, e.Asked, e.Level = p.spec.Name, r.accelerators, g.Required
	e.Capacity = 1000 * p.bare.Total(0, 0)
	if len(p.spec.Accelerators) > 0 {
		e.Resource = p.spec.Accelerators[0].Resource
	}
	if over, i := g.leaf.aboveLimit(r.asks); cause == AboveLimit && over != nil {
		e.Resource, e.Asked, e.Limit, e.Team = s.pairs.list[i].resource, r.asks[i], over.limit[i], over.spec.Name
	}
}

// explainPlan explains who a gang with a plan waits for.
func (s *State) explainPlan(g *gang) Explanation {
	e := Explanation{Reason: WaitingForVictims, Pool: g.Berth.Slot.Pool, Level: g.Berth.Slot.Level, Domain: g.Berth.Slot.Domain}
	for _, v := range s.present(g.Berth.Victims) {
		e.Victims++
		if l := s.gangs[v.Gang].Berth.Leaving; l != nil {
			e.Deadline = max(e.Deadline, l.Deadline)
		}
	}
	e.ETA = e.Deadline
	return e
}

// Next returns the earliest instant after now at which time alone can change a decision; false if there is none.
func (s *State) Next(now Time) (Time, bool) {
	s.now = now
	s.sync()
	var at Time
	note := func(t Time) {
		if t > now && (at == 0 || t < at) {
			at = t
		}
	}
	for _, n := range s.unready {
		if !n.uncounted && n.NotReadySince != 0 {
			note(n.NotReadySince + uncountedAfter)
		}
	}
	promised := false
	for _, p := range s.poolOrder {
		promised = promised || len(p.promised) > 0
	}
	for _, g := range s.gangs {
		s.noteGang(g, promised, note)
	}
	return at, at != 0
}

// noteGang notes the instants at which time changes what may be decided about one gang.
func (s *State) noteGang(g *gang, promised bool, note func(Time)) {
	switch {
	case g.Berth == nil || g.Berth.State == Future:
		if g.leaf != nil && !g.Held {
			s.notePending(g, note)
		}
	case g.Berth.Leaving != nil:
		note(g.Berth.Leaving.Deadline + stuckAfter)
		if g.Berth.State == Occupied && g.MaxRuntime > 0 {
			note(g.ends(0))
		}
	case g.Berth.State == Occupied:
		s.noteRunning(g, promised, note)
	}
}

// notePending notes when a pending gang's back-off ends, and when it is due for a promise or its promise falls due.
func (s *State) notePending(g *gang, note func(Time)) {
	note(s.backingOffUntil(g))
	if g.HeadSince != 0 && g.Berth == nil {
		note(g.HeadSince + s.cfg.ReserveAfter - g.Heading)
	}
	if g.Berth != nil {
		note(g.Berth.NotBefore)
		note(s.lapsesAt(g))
	}
	if g.PromiseRefused != 0 {
		note(g.PromiseRefused + 24*hour)
	}
}

// noteRunning notes when a running gang ends, and when it may be evicted or moved.
func (s *State) noteRunning(g *gang, promised bool, note func(Time)) {
	if g.MaxRuntime > 0 {
		note(g.ends(0))
	} else if promised {
		note(g.ends(s.cfg.AssumedRuntime))
	}
	if g.leaf != nil && g.leaf.quota.MinRuntime > 0 {
		note(g.Berth.Started + g.leaf.quota.MinRuntime)
	}
	if g.LastMove != 0 {
		note(g.LastMove + hour)
	}
	if g.MoveRefused != 0 {
		note(g.MoveRefused + 24*hour)
	}
}
