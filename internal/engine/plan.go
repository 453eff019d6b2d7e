package engine

import (
	"cmp"
	"slices"
)

// plan is a set of victims whose leaving makes a slot for one gang.
type plan struct {
	victims []*gang
	rules   []Rule
	cost    cost
	// inside is true when the slot lies inside the preferred level.
	inside bool
	// slot and moved are set where the victims are moved: the gang's slot, and where each victim goes on.
	slot  Slot
	moved map[string]Slot
}

// cost orders plans as P3 does.
type cost struct {
	straddling int
	// work is what is at stake of Production, Batch and Interactive victims, in accelerators times nanoseconds,
	// accelerators in thousandths.
	work [3]wide
	// freed are the accelerators that the victims hold; what is needed is the same for all plans of a gang.
	freed int64
	count int
}

// wide is a non-negative sum that may pass 64 bits.
type wide struct{ hi, lo uint64 }

func (a wide) plus(b wide) wide {
	lo := a.lo + b.lo
	return wide{a.hi + b.hi + uint64(boolInt(lo < a.lo)), lo}
}

func (a wide) compare(b wide) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) }

func (c cost) plus(d cost) cost {
	c.straddling += d.straddling
	for i := range c.work {
		c.work[i] = c.work[i].plus(d.work[i])
	}
	c.freed += d.freed
	c.count += d.count
	return c
}

func (c cost) compare(d cost) int {
	return cmp.Or(cmp.Compare(c.straddling, d.straddling), c.work[0].compare(d.work[0]), c.work[1].compare(d.work[1]),
		c.work[2].compare(d.work[2]), cmp.Compare(c.freed, d.freed), cmp.Compare(c.count, d.count))
}

// highest returns the highest tier among the victims; below every tier if there are none.
func (p *plan) highest() Tier {
	top := Tier(-1)
	for _, v := range p.victims {
		top = max(top, v.Tier)
	}
	return top
}

// better tells whether p is to be taken before q: inside the preferred level first, unless that needs victims of a
// higher tier; then by cost; then by the names of the victims.
func (p *plan) better(q *plan) bool {
	if q == nil {
		return true
	}
	if p.inside != q.inside {
		in, out := p, q
		if q.inside {
			in, out = q, p
		}
		return (in.highest() <= out.highest()) == p.inside
	}
	return cmp.Or(p.cost.compare(q.cost), slices.CompareFunc(p.victims, q.victims, byID)) < 0
}

func byID(a, b *gang) int { return cmp.Compare(a.ID, b.ID) }

// preempt makes a plan for g, or notes why there is none.
func (s *State) preempt(g *gang, r *request) bool {
	if s.refused(g, r, planRefusal) {
		return false
	}
	cuts := s.cuts(g, r)
	if s.shrink(g, r, cuts) {
		return true
	}
	best, bounded := s.plan(g, r)
	if s.shrinkAndEvict(g, r, cuts, best) {
		return true
	}
	if best == nil {
		s.refuse(g, r, planRefusal)
		g.told.Bounded = g.told.Bounded || bounded
		return false
	}
	for _, v := range best.victims {
		s.release(v)
	}
	slot, ok := s.find(g, r, &r.later)
	for _, v := range best.victims {
		s.restore(v)
	}
	if !ok {
		return false
	}
	s.carryOut(g, best, slot, bounded, nil)
	return true
}

// carryOut writes the plan down: the gang's berth first, then what becomes of each victim, and of gangs that are cut.
func (s *State) carryOut(g *gang, p *plan, slot Slot, bounded bool, cuts []surplus) {
	berth := &Berth{State: Planned, Slot: slot, Since: s.now}
	var leaving []*gang
	var rules []Rule
	for i, v := range p.victims {
		s.noteEvened(g, v, p.rules[i])
		if v.Berth.State == Planned {
			berth.Victims = append(berth.Victims, v.Berth.Victims...)
			continue
		}
		if v.Berth.Leaving == nil {
			leaving, rules = append(leaving, v), append(rules, p.rules[i])
		}
		berth.Victims = append(berth.Victims, Victim{Gang: v.ID, Attempt: v.Berth.Attempt})
	}
	berth.Victims = s.present(berth.Victims)
	for i, c := range cuts {
		s.noteEvened(g, c.gang, c.rule)
		if i == 0 || cuts[i-1].gang != c.gang {
			berth.Victims = append(berth.Victims, Victim{Gang: c.gang.ID, Attempt: c.gang.Berth.Attempt, Part: true})
		}
	}
	for _, v := range p.victims {
		if v.Berth.State == Planned {
			s.decide(Decision{Kind: Release, Gang: v.ID, For: g.ID})
			s.assume(v, nil)
		}
	}
	s.decide(Decision{Kind: Plan, Gang: g.ID, Slot: slot, Victims: berth.Victims, Bounded: bounded})
	s.assume(g, berth)
	for i, v := range leaving {
		s.tellToLeave(v, g.ID, rules[i])
	}
	s.tellToShrink(cuts, g.ID)
}

// tellToLeave evicts v for the gang called by.
func (s *State) tellToLeave(v *gang, by string, rule Rule) {
	s.decide(Decision{Kind: Evict, Gang: v.ID, For: by, Rule: rule})
	b := *v.Berth
	b.Leaving = &Leaving{For: by, Rule: rule, Notice: s.now, Deadline: s.now + v.Grace}
	s.assume(v, &b)
}

// present returns the victims that still hold the room they were named for, each once, by name.
func (s *State) present(victims []Victim) []Victim {
	victims = slices.Clone(victims)
	slices.SortFunc(victims, func(a, b Victim) int { return cmp.Or(cmp.Compare(a.Gang, b.Gang), cmp.Compare(a.Attempt, b.Attempt)) })
	return slices.DeleteFunc(slices.Compact(victims), func(v Victim) bool {
		g, ok := s.gangs[v.Gang]
		if !ok || g.Berth == nil || g.Berth.Attempt != v.Attempt || g.Berth.State < Reserved {
			return true
		}
		return v.Part && (g.Berth.Leaving == nil || g.Berth.Leaving.Keep == nil)
	})
}
