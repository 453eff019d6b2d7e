package engine

import (
	"cmp"
	"slices"
)

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

// shrink makes room for g by taking surpluses away from elastic gangs that g may evict, before anything is evicted.
func (s *State) shrink(g *gang, r *request) bool {
	cuts := s.cuts(g, r)
	if len(cuts) == 0 {
		return false
	}
	taken := s.leastCut(g, r, cuts)
	fits := taken > 0 && s.fitsNow(g, r) && s.mayCut(g, r, cuts[:taken])
	var slot Slot
	if fits {
		slot, fits = s.find(g, r, &r.later)
	}
	for _, c := range cuts[:taken] {
		c.release(-1)
	}
	if fits {
		s.carryOutCut(g, slot, cuts[:taken])
	}
	return fits
}

// cuts returns what may be taken from gangs that g may evict: lower tiers first, then by name, each gang's highest ranks
// first.
func (s *State) cuts(g *gang, r *request) []surplus {
	var out []surplus
	for _, v := range r.pool.gangs {
		if v.elastic && s.mightEvict(g, r, v) && s.evictable(v) && v.Berth.State == Occupied {
			out = append(out, s.surpluses(v)...)
		}
	}
	slices.SortStableFunc(out, func(a, b surplus) int { return cmp.Or(cmp.Compare(a.gang.Tier, b.gang.Tier), byID(a.gang, b.gang)) })
	return out
}

// leastCut releases cuts one by one until g fits, then puts back from the last on what is not needed; it returns how many
// stay released. What is put back are the lowest ranks of their gang, since later cuts of it were put back before.
func (s *State) leastCut(g *gang, r *request, cuts []surplus) int {
	taken := 0
	for ; taken < len(cuts) && !s.fitsNow(g, r); taken++ {
		cuts[taken].release(1)
	}
	for taken > 0 && s.fitsNow(g, r) {
		cuts[taken-1].release(-1)
		if !s.fitsNow(g, r) {
			cuts[taken-1].release(1)
			break
		}
		taken--
	}
	return taken
}

// release takes a surplus out of rooms and usage (sign 1) or puts it back.
func (c surplus) release(sign int) {
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
	for _, c := range slices.Backward(cuts) {
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
