package engine

import (
	"cmp"
	"slices"
)

// noRoom says why no slot is free for g in r's pool.
func (s *State) noRoom(g *gang, r *request) Explanation {
	p := r.pool
	e := Explanation{
		Reason: NoCoherentSlot, Cause: TooFewIdle, Pool: p.spec.Name, Asked: r.accelerators, Free: 1000 * p.room.Idle(0, 0),
		Capacity: 1000 * p.room.Total(0, 0), Bounded: g.told.Bounded,
	}
	if len(p.spec.Accelerators) > 0 {
		e.Resource = p.spec.Accelerators[0].Resource
	}
	if e.Free >= e.Asked {
		e.Cause = Scattered
	}
	if (len(p.promised) > 0 || len(p.planned) > 0) && s.fitsBut(r) {
		e.Reason, e.Cause = BehindInQueue, HoldsNoRoom
	}
	return e
}

// describe brings an explanation's numbers up to date and adds the domain that lacks least, what it lacks, and who holds it.
func (s *State) describe(e *Explanation, r *request) {
	if r.detail == nil || r.detailedAt != [2]int{s.changes, s.epoch} {
		r.detail, r.detailedAt = s.detail(r), [2]int{s.changes, s.epoch}
	}
	d := r.detail
	if e.Cause == NoCause {
		e.Resource, e.Asked, e.Free, e.Capacity = d.Resource, d.Asked, d.Free, d.Capacity
	}
	if e.Cause == TooFewIdle || e.Cause == Scattered || e.Cause == HoldsNoRoom {
		e.Reason, e.Cause, e.Free, e.Capacity = d.Reason, d.Cause, d.Free, d.Capacity
	}
	e.Level, e.Domain, e.PodsFit, e.PodsAsked, e.Holders = d.Level, d.Domain, d.PodsFit, d.PodsAsked, d.Holders
}

// detail is what describe adds, the same for all gangs that ask for the same.
func (s *State) detail(r *request) *Explanation {
	p, level := r.pool, r.place.Required
	domain, fit := s.closest(r, level)
	e := s.noRoom(&gang{}, r) // what was said when the gang was refused may be out of date
	e.Level, e.Domain, e.PodsFit, e.Holders = p.tree.Names[level], p.tree.Path(level, domain), fit, s.holders(p, level, domain)
	for _, role := range r.place.Roles {
		e.PodsAsked += int64(role.Count)
	}
	return &e
}

// closest returns the domain of a level into which most of r's pods fit, each role by itself; the first of several.
func (s *State) closest(r *request, level int) (int32, int64) {
	best, most := int32(0), int64(-1)
	for d := range int32(len(r.pool.tree.Levels[level])) {
		var fit int64
		for _, role := range r.place.Roles {
			fit += int64(min(role.Shape.Fit(level, d), role.Count))
		}
		if fit > most {
			best, most = d, fit
		}
	}
	return best, max(most, 0)
}

// fitsBut tells whether r would fit if no planned and no promised berth stood in the way.
func (s *State) fitsBut(r *request) bool {
	for _, g := range r.pool.planned {
		takeAll(g.taken, 1)
	}
	ok, _ := s.finder.Fits(&r.place)
	for _, g := range r.pool.planned {
		takeAll(g.taken, -1)
	}
	return ok
}

// holders returns who uses most of a domain, at most three, foreign pods as one.
func (s *State) holders(p *pool, level int, domain int32) []Holder {
	dom := p.tree.Levels[level][domain]
	within := func(n *node) bool { return n.pool == p && n.pos >= dom.FirstNode && n.pos < dom.EndNode }
	var out []Holder
	for _, g := range p.gangs {
		h := Holder{Gang: g.ID, Team: g.Team}
		for _, t := range g.taken {
			if within(t.node) {
				h.Amount += 1000 * p.accelerated(t.amount)
			}
		}
		if h.Amount > 0 {
			out = append(out, h)
		}
	}
	var foreign Holder
	for _, f := range s.foreign {
		if n, ok := s.nodes[f.Node]; ok && within(n) {
			foreign.Amount += 1000 * p.accelerated(s.resources.Vec(f.Requests))
		}
	}
	if foreign.Amount > 0 {
		out = append(out, foreign)
	}
	slices.SortStableFunc(out, func(a, b Holder) int { return cmp.Or(-cmp.Compare(a.Amount, b.Amount), cmp.Compare(a.Gang, b.Gang)) })
	return out[:min(len(out), 3)]
}

// accelerated returns the accelerators in v, weighted.
func (p *pool) accelerated(v []int64) int64 {
	var sum int64
	for i, k := range p.accelerators {
		if k < len(v) {
			sum += max(p.spec.Accelerators[i].Weight, 1) * v[k]
		}
	}
	return sum
}
