package engine

import (
	"cmp"
	"slices"
)

// candidate is a gang that may be a victim, with what it costs when it does not straddle.
type candidate struct {
	*gang
	cost cost
}

// candidates returns the gangs in p that g might evict, cheapest first: planned berths, which cost nothing, then gangs
// that hold one. Rights are looked at as if g's own lower tiers had left already; whether a set of victims is rightful is
// decided when it is put together.
func (s *State) candidates(g *gang, r *request) []candidate {
	all := s.byCost(r.pool)
	own := slices.DeleteFunc(slices.Clone(g.leaf.holders), func(v *gang) bool {
		return v.Berth.State == Planned && inOrder(g, v) > 0 || v.Berth.State != Planned && (v.Tier >= g.Tier || !s.evictable(v))
	})
	for _, v := range own {
		s.count(v, -1)
	}
	var out []candidate
	for _, v := range r.pool.planned {
		if s.mightEvict(g, r, v) {
			out = append(out, candidate{gang: v})
		}
	}
	for _, c := range all {
		if s.mightEvict(g, r, c.gang) {
			out = append(out, c)
		}
	}
	for _, v := range own {
		s.count(v, 1)
	}
	return out
}

// byCost returns the gangs in p that could be told to leave when the pass began, cheapest first. What they cost does not
// change within a pass.
func (s *State) byCost(p *pool) []candidate {
	if p.byCost == nil {
		for _, v := range p.gangs {
			if s.evictable(v) {
				p.byCost = append(p.byCost, candidate{v, s.weigh(v, false)})
			}
		}
		slices.SortStableFunc(p.byCost, func(a, b candidate) int { return cmp.Or(a.cost.compare(b.cost), byID(a.gang, b.gang)) })
	}
	return p.byCost
}

// evictable tells whether v may be told to leave at all.
func (s *State) evictable(v *gang) bool {
	return v.leaf != nil && v.charged != nil && v.Berth != nil && v.Berth.State >= Reserved &&
		v.Berth.Attempt != assumedAttempt && v.Berth.Leaving == nil && v.Next == nil && !v.over(s.now)
}

// mightEvict tells whether v could be among g's victims, its own turn among them left aside.
func (s *State) mightEvict(g *gang, r *request, v *gang) bool {
	switch {
	case v == g || v.leaf == nil || v.charged == nil:
		return false
	case v.Berth.State == Planned:
		return s.takesOver(g, r, v)
	case !s.evictable(v):
		return false
	case s.owed(g, v):
		return true
	case v.leaf == g.leaf:
		return v.Tier < g.Tier
	case s.young(v, s.now):
		return false
	}
	return s.couldEvict(g, r.asks, v)
}

// takesOver tells whether g may take planned berth v over (P4): v comes after it in the same team and g could itself have
// evicted those who leave for it, or g may evict v under P2 (b) or (c).
func (s *State) takesOver(g *gang, r *request, v *gang) bool {
	if v.leaf != g.leaf {
		rule, _ := s.mayEvict(g, r.asks, v, s.now)
		return rule != NoRule
	}
	if inOrder(g, v) > 0 {
		return false
	}
	// Rights are judged as before the plan: v is not there yet, its victims still are.
	var leaving []*gang
	s.count(v, -1)
	for _, w := range s.present(v.Berth.Victims) {
		if l := s.gangs[w.Gang]; l.leaf != nil && l.charged != nil && !l.usesUsed {
			leaving = append(leaving, l)
			l.leaf.charge(l.away(), 1, true, false)
		}
	}
	may := true
	for _, w := range leaving {
		charged := w.charged
		w.charged = w.away()
		rule, _ := s.mayEvict(g, r.asks, w, s.now)
		w.charged = charged
		may = may && rule != NoRule
	}
	for _, w := range leaving {
		w.leaf.charge(w.away(), -1, true, false)
	}
	s.count(v, 1)
	return may
}
