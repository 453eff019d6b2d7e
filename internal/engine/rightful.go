package engine

import "slices"

// rightful returns the plan that evicts victims for g, each under a clause of P2 in turn, or nil if some of them may not
// be evicted, or could undo it afterwards. The victims are charged out when it is called and when it returns. Rights are
// used up in the order that needs the fewest straddling victims: first those whose loss leaves their team its guarantee,
// then one that straddles it.
func (s *State) rightful(g *gang, r *request, victims []*gang) *plan {
	p := &plan{victims: victims, rules: make([]Rule, len(victims))}
	for _, v := range victims {
		s.count(v, 1)
	}
	left := len(victims)
	for _, straddlers := range []bool{false, true} {
		for again := true; again; {
			again = false
			for i, v := range victims {
				if p.rules[i] != NoRule {
					continue
				}
				rule, straddles := s.ruleFor(g, r, v)
				if rule == NoRule || straddles && !straddlers {
					continue
				}
				p.rules[i], again = rule, true
				p.cost = p.cost.plus(s.weigh(v, straddles))
				s.count(v, -1)
				left--
			}
		}
	}
	for i, v := range victims {
		if p.rules[i] == NoRule {
			s.count(v, -1)
		}
	}
	if left > 0 || s.undone(g, r, r.asks, victims) || slices.Contains(p.rules, ByTier) && s.contested(g, r) {
		return nil
	}
	return p
}

// count charges v's usage in (sign 1) or out of what teams have used.
func (s *State) count(v *gang, sign int64) { v.charge(sign, false) }

// ruleFor returns under which clause g may evict v as usage stands, planned berths by P4.
func (s *State) ruleFor(g *gang, r *request, v *gang) (Rule, bool) {
	if v.Berth.State == Planned && v.leaf == g.leaf {
		if s.takesOver(g, r, v) {
			return ByTier, false
		}
		return NoRule, false
	}
	if s.owed(g, v) {
		return ByPromise, false
	}
	rule, straddles := s.mayEvict(g, r.asks, v, s.now)
	return rule, straddles && v.Berth.State != Planned
}

// undone tells whether some victim could evict g, which counts as uses then, again right after: a finished preemption leaves
// nothing that would undo it. Usage is as after the plan.
func (s *State) undone(g *gang, r *request, uses []int64, victims []*gang) bool {
	undone := false
	s.pretend(g, uses, func() {
		undone = slices.ContainsFunc(victims, func(v *gang) bool {
			return v.leaf != g.leaf && s.takesFrom(v, g, r.pool) != NoRule
		})
	})
	return undone
}

// contested tells whether a pending gang of another team would have g's slot at once as part of what its own team is
// guaranteed. Those of g's team who leave by tier would leave for that gang then, which may not evict them. They are
// released when it is called.
func (s *State) contested(g *gang, r *request) bool {
	if g.leaf.covers(r.asks) {
		return false
	}
	var claimants []*gang
	s.pretend(g, r.asks, func() {
		for _, t := range s.leaves {
			if t != g.leaf {
				claimants = append(claimants, s.claimants(t, g, r.pool)...)
			}
		}
	})
	return slices.ContainsFunc(claimants, func(h *gang) bool { return s.fitsNow(h, s.requestIn(h, r.pool)) })
}

// claimants returns the pending gangs of t that could take back from g what their team is guaranteed, one of each shape.
func (s *State) claimants(t *team, g *gang, p *pool) []*gang {
	var out []*gang
	seen := map[string]bool{}
	for _, h := range t.pending {
		if reason, _ := s.standing(h); reason != "" || h.FreeOnly || seen[h.asks] {
			continue
		}
		seen[h.asks] = true
		if s.takesFrom(h, g, p) == ByReclaim {
			out = append(out, h)
		}
	}
	return out
}

// pretend calls f as if g had run since now and used so much.
func (s *State) pretend(g *gang, uses []int64, f func()) {
	charged, berth := g.charged, g.Berth
	g.leaf.charge(uses, 1, true, false)
	g.charged, g.Berth = uses, &Berth{State: Occupied, Started: s.now}
	f()
	g.charged, g.Berth = charged, berth
	g.leaf.charge(uses, -1, true, false)
}

// takesFrom returns the rule by which h may evict g in p as soon as g's minRuntime is over.
func (s *State) takesFrom(h, g *gang, p *pool) Rule {
	r := s.requestIn(h, p)
	if r == nil {
		return NoRule
	}
	rule, _ := s.mayEvict(h, r.asks, g, s.now+g.leaf.quota.MinRuntime)
	return rule
}
