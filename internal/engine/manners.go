package engine

// backingOffUntil returns until when the gang is not considered (P12): after n evictions within an hour for 2^n minutes
// (or whatever the unit is), at most 32, unless it fits its team's guarantee; after a fault of its own as its record says.
func (s *State) backingOffUntil(g *gang) Time {
	until := g.NotBefore
	n, last := 0, Time(0)
	if k := len(g.Evictions); k > 0 {
		last = g.Evictions[k-1]
	}
	for _, at := range g.Evictions {
		if at > last-hour { // counted at the last, so that the end does not move as time goes by
			n++
		}
	}
	if n = min(n, 5); n > 0 && !s.withinGuarantee(g) {
		until = max(until, last+int64(min(1<<n, 32))*s.cfg.EvictionBackOff)
	}
	return until
}

// withinGuarantee tells whether the gang would fit its team's unmet guarantee in one of its pools.
func (s *State) withinGuarantee(g *gang) bool {
	for _, p := range s.poolsFor(g) {
		if r := s.requestOf(g, p); r.cause == NoCause && g.leaf.covers(r.asks) {
			return true
		}
	}
	return false
}
