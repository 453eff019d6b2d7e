package engine

// impossible says why a pool could not hold the gang even when empty (P7): allocatable of all registered nodes, Ready or
// not, less DaemonSet and mirror pods.
func (s *State) impossible(r *request) Cause {
	for i, role := range r.bare.Roles {
		matching := false
		for pos := range r.pool.nodes {
			matching = matching || role.Shape.Matches(int32(pos))
		}
		if !matching {
			return NoMatchingNode
		}
		if role.Shape.Fit(0, 0) < r.bare.Roles[i].Count {
			return TooLargeForPool
		}
	}
	if ok, bounded := s.finder.Fits(&r.bare); ok || bounded {
		return NoCause
	}
	whole := r.bare
	whole.Required, whole.Preferred = 0, 0
	if ok, _ := s.finder.Fits(&whole); ok && r.bare.Required > 0 {
		return TooLargeForDomain
	}
	return TooLargeForPool
}

// standing says why a gang is in no order: one of Infeasible, Held, Paused, NoTeam, BackingOff, or "" if it is in one.
// Of several reasons the first of P7's list is given.
func (s *State) standing(g *gang) (Reason, Cause) {
	if g.leaf != nil {
		if cause := s.infeasible(g); cause != NoCause {
			return Infeasible, cause
		}
	}
	switch {
	case g.Held:
		return Held, NoCause
	case g.leaf != nil && g.leaf.cyclic:
		return Paused, TeamCycle
	case g.leaf != nil && g.leaf.paused:
		return Paused, NoCause
	case g.leaf == nil:
		return NoTeam, NoCause
	case s.backingOffUntil(g) > s.now:
		return BackingOff, NoCause
	}
	return "", NoCause
}

// infeasible says why no pool could ever take the gang, or why it alone is above a limit.
func (s *State) infeasible(g *gang) Cause {
	pools := s.poolsFor(g)
	if len(pools) == 0 {
		return NoPool
	}
	first := NoCause
	for _, p := range pools {
		r := s.requestOf(g, p)
		cause := r.cause
		if over, _ := g.leaf.aboveLimit(r.asks); cause == NoCause && over != nil {
			cause = AboveLimit
		}
		if cause == NoCause {
			return NoCause
		}
		if first == NoCause {
			first = cause
		}
	}
	return first
}
