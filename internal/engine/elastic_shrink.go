package engine

import "slices"

// surplus is one step by which a gang may shrink: the highest ranks of a role, a whole group.
type surplus struct {
	gang  *gang
	role  int
	ranks int
	takes []taking
	uses  []int64
}

// surpluses returns the steps by which v may shrink to its floor, highest ranks first.
func (s *State) surpluses(v *gang) []surplus {
	var out []surplus
	for i, r := range v.Berth.Slot.Roles {
		role := v.role(r.Role)
		if role == nil {
			continue
		}
		step := 1
		if len(role.Groups) > 0 {
			step = role.Groups[0].Size
		}
		for have := len(r.Nodes); have-step >= role.floor(); have -= step {
			part := Slot{Pool: v.Berth.Slot.Pool, Roles: []RoleSlot{{r.Role, r.Nodes[have-step : have]}}}
			out = append(out, surplus{v, i, step, s.takings(v, part), s.usesOf(v, part)})
		}
	}
	return out
}

// release takes a surplus out of rooms and usage (sign 1) or puts it back.
func (c surplus) release(s *State, sign int) {
	takeAll(c.takes, sign)
	c.gang.leaf.charge(c.uses, int64(-sign), true, true)
}

// fitsNow tells whether g fits within quota as things stand.
func (s *State) fitsNow(g *gang, r *request) bool {
	if over, _ := g.leaf.overLimit(r.asks, false); over != nil || s.notLent(g.leaf, r.asks) >= 0 {
		return false
	}
	return s.fitsBeside(g, &r.later, r.pool, 0, -1)
}

// mayCut tells whether g has a right to what is cut: to every gang's, one after the other, with the cuts released.
func (s *State) mayCut(g *gang, r *request, cuts []surplus) bool {
	for i := len(cuts) - 1; i >= 0; i-- {
		c := cuts[i]
		c.gang.leaf.charge(c.uses, 1, true, true)
		charged := c.gang.charged
		c.gang.charged = c.uses
		rule, straddles := s.mayEvict(g, r.asks, c.gang, s.now)
		c.gang.charged = charged
		c.gang.leaf.charge(c.uses, -1, true, true)
		if rule == NoRule || straddles {
			return false
		}
	}
	return true
}

// carryOutCut writes a plan of shrinking down.
func (s *State) carryOutCut(g *gang, slot Slot, cuts []surplus) {
	berth := &Berth{State: Planned, Slot: slot, Since: s.now}
	keep := map[*gang]*Slot{}
	var order []*gang
	for _, c := range cuts {
		if keep[c.gang] == nil {
			k := cloneSlot(c.gang.Berth.Slot)
			keep[c.gang] = &k
			order = append(order, c.gang)
			berth.Victims = append(berth.Victims, Victim{c.gang.ID, c.gang.Berth.Attempt, true})
		}
		r := &keep[c.gang].Roles[c.role]
		r.Nodes = r.Nodes[:len(r.Nodes)-c.ranks]
	}
	s.decide(Decision{Kind: Plan, Gang: g.ID, Slot: slot, Victims: slices.Clone(berth.Victims)})
	s.assume(g, berth)
	for _, v := range order {
		kept := s.named(*keep[v])
		s.decide(Decision{Kind: Shrink, Gang: v.ID, Slot: kept, For: g.ID, Rule: ByReclaim})
		b := *v.Berth
		b.Leaving = &Leaving{For: g.ID, Rule: ByReclaim, Notice: s.now, Deadline: s.now + v.Grace, Keep: &kept}
		s.assume(v, &b)
	}
}
