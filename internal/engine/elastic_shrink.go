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
	rule  Rule
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
			out = append(out, surplus{v, i, step, s.takings(v, part), s.usesOf(v, part), NoRule})
		}
	}
	return out
}

// shrink makes room for g by cuts alone, before anything is evicted.
func (s *State) shrink(g *gang, r *request, cuts []surplus) bool {
	if len(cuts) == 0 {
		return false
	}
	needed := s.leastCut(g, r, cuts)
	fits := len(needed) > 0 && s.mayCut(g, r, needed)
	var slot Slot
	if fits {
		slot, fits = s.find(g, r, &r.later)
	}
	for _, c := range needed {
		c.release(-1)
	}
	if fits {
		s.carryOut(g, &plan{}, slot, false, needed)
	}
	return fits
}

// cuts returns what may be taken from gangs that g may evict: lower tiers first, then by name, each gang's highest ranks
// first. Rights are judged for what is cut, not for the whole gang.
func (s *State) cuts(g *gang, r *request) []surplus {
	var out []surplus
	for _, v := range r.pool.gangs {
		if !v.elastic || v.Berth.State != Occupied || !s.evictable(v) {
			continue
		}
		for _, c := range s.surpluses(v) {
			c.alone(func() {
				if s.mightEvict(g, r, v) {
					out = append(out, c)
				}
			})
		}
	}
	slices.SortStableFunc(out, func(a, b surplus) int { return cmp.Or(cmp.Compare(a.gang.Tier, b.gang.Tier), byID(a.gang, b.gang)) })
	return out
}

// alone does f with the gang charged for the surplus only.
func (c *surplus) alone(f func()) {
	charged := c.gang.charged
	c.gang.charged = c.uses
	f()
	c.gang.charged = charged
}

// leastCut releases cuts one by one until g fits, then puts back from the last on what is not needed, and returns what
// stays released: nothing if g does not fit with all of them. A gang's higher ranks stay cut where a lower one is.
func (s *State) leastCut(g *gang, r *request, cuts []surplus) []surplus {
	taken := 0
	fits := s.fitsNow(g, r)
	for ; taken < len(cuts) && !fits; taken++ {
		cuts[taken].release(1)
		fits = s.fitsNow(g, r)
	}
	type part struct {
		gang *gang
		role int
	}
	cut := map[part]bool{}
	var needed []surplus
	for _, c := range slices.Backward(cuts[:taken]) {
		if of := (part{c.gang, c.role}); !cut[of] {
			c.release(-1)
			if !fits || s.fitsNow(g, r) {
				continue
			}
			c.release(1)
			cut[of] = true
		}
		needed = append(needed, c)
	}
	slices.Reverse(needed)
	return needed
}

// release takes a surplus out of rooms and usage (sign 1) or puts it back.
func (c surplus) release(sign int) {
	takeAll(c.takes, sign)
	c.charge(int64(-sign))
}

func (c surplus) charge(sign int64) { c.gang.leaf.charge(c.uses, sign, true, true) }

// fitsNow tells whether g fits within quota as things stand.
func (s *State) fitsNow(g *gang, r *request) bool {
	if !s.allows(g, r.asks, false) {
		return false
	}
	return s.fitsBeside(g, &r.later, r.pool, 0, -1)
}

// mayCut tells whether g has a right to what is cut, one cut after the other, those that take a team below its guarantee
// last, and notes by which rule. The cuts are released when it is called and when it returns.
func (s *State) mayCut(g *gang, r *request, cuts []surplus) bool {
	for _, c := range cuts {
		c.charge(1)
	}
	left := len(cuts)
	for _, straddlers := range []bool{false, true} {
		for again := true; again; {
			again = false
			for i := range cuts {
				c := &cuts[i]
				if c.rule != NoRule {
					continue
				}
				c.alone(func() {
					if rule, straddles := s.ruleFor(g, r, c.gang); straddlers || !straddles {
						c.rule = rule
					}
				})
				if c.rule != NoRule {
					c.charge(-1)
					left, again = left-1, true
				}
			}
		}
	}
	for _, c := range cuts {
		if c.rule == NoRule {
			c.charge(-1)
		}
	}
	return left == 0
}

// tellToShrink has the gangs give back what is cut, for the gang called by.
func (s *State) tellToShrink(cuts []surplus, by string) {
	for len(cuts) > 0 {
		v, rule := cuts[0].gang, cuts[0].rule
		kept := cloneSlot(v.Berth.Slot)
		for len(cuts) > 0 && cuts[0].gang == v {
			role := &kept.Roles[cuts[0].role]
			role.Nodes = role.Nodes[:len(role.Nodes)-cuts[0].ranks]
			cuts = cuts[1:]
		}
		kept = s.named(kept)
		s.decide(Decision{Kind: Shrink, Gang: v.ID, Slot: kept, For: by, Rule: rule})
		b := *v.Berth
		b.Leaving = &Leaving{For: by, Rule: rule, Notice: s.now, Deadline: s.now + v.Grace, Keep: &kept}
		s.assume(v, &b)
	}
}
