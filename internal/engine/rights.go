package engine

// mayEvict returns the clause of P2 under which g, asking for asks by pair, may evict v as usage stands, or NoRule; and
// whether v's loss would take a team of its side below its guarantee. Victims already chosen are to be charged out
// before, g is not to be charged in. at is the instant that v's minRuntime is judged at.
func (s *State) mayEvict(g *gang, asks []int64, v *gang, at Time) (rule Rule, straddles bool) {
	if g.leaf == nil || v.leaf == nil {
		return NoRule, false
	}
	if g.leaf == v.leaf {
		if v.Tier < g.Tier {
			return ByTier, false
		}
		return NoRule, false
	}
	if s.young(v, at) {
		return NoRule, false
	}
	a, b := sides(g.leaf, v.leaf)
	if by := coveredUpTo(g.leaf, a, asks); by != nil {
		if borrows(v, b, asks, by) {
			return ByReclaim, straddling(v, b, asks)
		}
		return NoRule, false
	}
	if borrows(v, b, asks, v.leaf) && s.evens(a, v, b, asks) && s.leads(v, b, asks) && !s.repeats(g, v, at) {
		return ByFairness, false
	}
	return NoRule, false
}

// couldEvict tells whether g could evict v under (b) or (c) if v's turn came. As more of v's side leaves, less of it may.
func (s *State) couldEvict(g *gang, asks []int64, v *gang) bool {
	a, b := sides(g.leaf, v.leaf)
	if by := coveredUpTo(g.leaf, a, asks); by != nil {
		return borrows(v, b, asks, by)
	}
	return borrows(v, b, asks, v.leaf) && s.evens(a, v, b, asks)
}

// young tells whether v has not yet run for its team's minRuntime.
func (s *State) young(v *gang, at Time) bool {
	minRuntime := v.leaf.quota.MinRuntime
	if minRuntime == 0 || v.Berth == nil || v.Berth.State == Planned {
		return false
	}
	return v.Berth.State != Occupied || at < v.Berth.Started+minRuntime
}

// coveredUpTo returns the first team from t up to top that stays within its guarantee with asks more, nil if none does.
func coveredUpTo(t, top *team, asks []int64) *team {
	for ; ; t = t.parent {
		if t.covers(asks) {
			return t
		}
		if t == top {
			return nil
		}
	}
}

// borrows tells whether every team from v's up to top uses more than its guarantee of something that asks is about and
// v uses, and that counts for that team or for the one that asks for it back.
func borrows(v *gang, top *team, asks []int64, by *team) bool {
	for t := v.leaf; ; t = t.parent {
		over := false
		for i, q := range asks {
			over = over || q > 0 && v.charged[i] > 0 && t.used[i] > t.guarantee[i] && (t.counts(i) || by.counts(i))
		}
		if !over {
			return false
		}
		if t == top {
			return true
		}
	}
}

// straddling tells whether v's loss takes its team, or one above it up to top, from above its guarantee to below.
func straddling(v *gang, top *team, asks []int64) bool {
	for t := v.leaf; ; t = t.parent {
		for i, q := range asks {
			if q > 0 && v.charged[i] > 0 && t.used[i] > t.guarantee[i] && t.used[i]-v.charged[i] < t.guarantee[i] {
				return true
			}
		}
		if t == top {
			return false
		}
	}
}

// evens tells whether evicting v for a gang of side A evens shares out (P2 c): A with it is then no better off than B
// without v, and worse off than B is now.
func (s *State) evens(a *team, v *gang, b *team, asks []int64) bool {
	with := s.share(a, asks, asks)
	return cmpRatio(with, s.share(b, asks, nil)) < 0 && cmpRatio(with, s.share(b, asks, negated(v.charged))) <= 0
}

// leads tells whether v stands where the largest shares lead from b down.
func (s *State) leads(v *gang, b *team, asks []int64) bool {
	for t := v.leaf; t != b; t = t.parent {
		mine := s.share(t, asks, nil)
		for _, sibling := range t.parent.children {
			if cmpRatio(s.share(sibling, asks, nil), mine) > 0 {
				return false
			}
		}
	}
	return true
}

func negated(v []int64) []int64 {
	out := make([]int64, len(v))
	for i, q := range v {
		out[i] = -q
	}
	return out
}
