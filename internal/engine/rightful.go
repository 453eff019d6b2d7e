package engine

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
	if left > 0 || s.undone(g, r, r.asks, victims) {
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
	g.leaf.charge(uses, 1, true, false)
	charged, berth := g.charged, g.Berth
	g.charged, g.Berth = uses, &Berth{State: Occupied, Started: s.now}
	undone := false
	for _, v := range victims {
		if v.leaf == g.leaf {
			continue
		}
		if vr := s.requestIn(v, r.pool); vr != nil {
			rule, _ := s.mayEvict(v, vr.asks, g, s.now+g.leaf.quota.MinRuntime)
			undone = undone || rule != NoRule
		}
	}
	g.charged, g.Berth = charged, berth
	g.leaf.charge(uses, -1, true, false)
	return undone
}
