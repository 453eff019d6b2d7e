package engine

import "cmp"

// covers tells whether the team stays within its guarantee with ask more, in every pair that counts for it.
func (t *team) covers(ask []int64) bool {
	asked := false
	for i, q := range ask {
		if q == 0 || !t.counts(i) {
			continue
		}
		asked = true
		if t.used[i]+q > t.guarantee[i] {
			return false
		}
	}
	return asked
}

// counts tells whether a guarantee is judged by pair i: an accelerator, or something that the team is guaranteed. A
// resource that its quota does not name or only limits makes no guarantee of accelerators void.
func (t *team) counts(i int) bool { return t.accelerators[i] || t.guarantee[i] > 0 }

// filled returns the largest used/guaranteed over the pairs that are asked for.
func (t *team) filled(ask []int64) ratio {
	worst := ratio{0, 1, 1}
	for i, q := range ask {
		if q > 0 && t.guarantee[i] > 0 {
			if r := (ratio{t.used[i], t.guarantee[i], 1}); cmpRatio(r, worst) > 0 {
				worst = r
			}
		}
	}
	return worst
}

// share returns the team's share over the pairs that are asked for, with extra more used (which may be negative):
// max of max(0, usage - guarantee) / capacity / weight.
func (s *State) share(t *team, ask, extra []int64) ratio {
	worst := ratio{0, 1, 1}
	for i, q := range ask {
		if q == 0 {
			continue
		}
		over := t.used[i] - t.guarantee[i]
		if extra != nil {
			over += extra[i]
		}
		if over <= 0 {
			continue
		}
		if r := (ratio{over, s.capacityOf(i), t.weight}); cmpRatio(r, worst) > 0 {
			worst = r
		}
	}
	return worst
}

// head returns the gang that t would be asked for next in this pass: P1's walk, from t down. It is kept until something
// below t is tried or t's usage changes.
func (s *State) head(t *team) *gang {
	if t.fresh {
		return t.next
	}
	t.fresh, t.next = true, nil
	if len(t.children) == 0 {
		// A gang whose plan was taken over in this pass waits for the next: no two take each other's in turn.
		for t.tried < len(t.pending) && (t.pending[t.tried].triedIn == s.pass || !s.queues(t.pending[t.tried])) {
			t.tried++
		}
		if t.tried < len(t.pending) {
			t.next = t.pending[t.tried]
		}
		return t.next
	}
	var best *team
	for _, c := range t.children {
		if s.head(c) != nil && (best == nil || s.before(c, c.next, best, best.next)) {
			best = c
		}
	}
	if best != nil {
		t.next = best.next
	}
	return t.next
}

// before tells whether child a, judged by ga, is asked before its sibling b, judged by gb: those whose gang fits their
// unmet guarantee first, lowest used/guaranteed first; then the others by share. Ties: oldest queuedTime, then name.
func (s *State) before(a *team, ga *gang, b *team, gb *gang) bool {
	askA, askB := s.judged(ga), s.judged(gb)
	inA, inB := a.covers(askA), b.covers(askB)
	if inA != inB {
		return inA
	}
	var byNeed int
	if inA {
		byNeed = cmpRatio(a.filled(askA), b.filled(askB))
	} else {
		byNeed = cmpRatio(s.share(a, askA, nil), s.share(b, askB, nil))
	}
	return cmp.Or(byNeed, cmp.Compare(ga.Queued, gb.Queued), cmp.Compare(ga.ID, gb.ID)) < 0
}

// precedes tells whether pending gang a comes before pending gang b in P1's order as things stand.
func (s *State) precedes(a, b *gang) bool {
	if a.leaf == b.leaf {
		return inOrder(a, b) < 0
	}
	childA, childB := sides(a.leaf, b.leaf)
	return s.before(childA, a, childB, b)
}

// queues tells whether the gang is in its team's order, and notes why not.
func (s *State) queues(g *gang) bool {
	reason, cause := s.standing(g)
	if reason != "" {
		g.told = Explanation{Reason: reason, Cause: cause}
	}
	return reason == ""
}

// judged returns what a gang asks for, by pair, in the first pool that could hold it.
func (s *State) judged(g *gang) []int64 {
	if g.judged == nil {
		for _, p := range s.poolsFor(g) {
			if r := s.requestOf(g, p); r.cause == NoCause {
				g.judged = r.asks
				break
			}
		}
	}
	return g.judged
}

// skip notes that g was tried in this pass, unless it has left the order meanwhile.
func (t *team) skip(g *gang) {
	if t.tried < len(t.pending) && t.pending[t.tried] == g {
		t.tried++
	}
	t.stale()
}

// stale drops the cached heads of t and all teams above it.
func (t *team) stale() {
	for ; t != nil; t = t.parent {
		t.fresh = false
	}
}
