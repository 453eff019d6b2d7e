package engine

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// move puts a slot together for g by moving others (P10): where enough is idle but no coherent slot exists, running gangs
// that can checkpoint and are of no higher tier go to slots that are free for them in the same plan.
func (s *State) move(g *gang, r *request) bool {
	left := r.pool.movesLeft
	if left == 0 || s.overQuota(g, r) || s.idleUnpromised(r.pool) < r.accelerators || s.refused(g, r, moveRefusal) {
		return false
	}
	var from []candidate
	for _, c := range s.byCost(r.pool) {
		if s.movable(g, c.gang) {
			from = append(from, c)
		}
	}
	if len(from) == 0 {
		return false
	}
	told := g.told
	q := s.newSearch(g, r, &r.place)
	q.moving, q.most = true, left
	q.budget /= 8 // a move that is not found at once can wait: nobody has a right to it
	q.accept = func(victims []*gang) *plan { return s.relocation(q, victims, left) }
	q.everywhere(from)
	g.told = told
	if q.best == nil {
		s.refuse(g, r, moveRefusal)
		return false
	}
	s.carryOutMove(g, r, q.best, q.bounded)
	return true
}

// movable tells whether v may be moved for g: it can checkpoint, is of no higher tier, was not moved within the hour nor
// called a move off within the day, and, where nothing answers before the stop, has little to lose.
func (s *State) movable(g, v *gang) bool {
	if !s.evictable(v) || v.Berth.State != Occupied || !v.Checkpoints || v.Tier > g.Tier {
		return false
	}
	if v.LastMove != 0 && s.now < v.LastMove+hour || v.MoveRefused != 0 && s.now < v.MoveRefused+24*hour {
		return false
	}
	return v.Answers || s.uncapped(v) <= s.cfg.MoveMaxLoss
}

// countMoves notes how many more gangs may be moved in the pool within this hour.
func (s *State) countMoves(p *pool) {
	left := s.cfg.MovesPerHour
	for _, v := range p.gangs {
		moving := v.Berth != nil && v.Next != nil && v.Berth.Leaving != nil && v.Berth.Leaving.Rule == ByMove
		if (moving || v.LastMove != 0 && s.now < v.LastMove+hour) && v.Berth != nil && v.Berth.Slot.Pool == p.spec.Name {
			left--
		}
	}
	p.movesLeft = max(left, 0)
}

// idleUnpromised returns the pool's idle accelerators, those under promised berths not counted, in thousandths.
func (s *State) idleUnpromised(p *pool) (idle int64) {
	s.reserving(p, p.promised, func() { idle = 1000 * p.room.Idle(0, 0) })
	return idle
}

// relocation makes a plan of moving victims, which are released: each must find another slot beside g's.
func (s *State) relocation(q *search, victims []*gang, left int) *plan {
	if len(victims) > left {
		return nil
	}
	for _, v := range victims {
		v.charge(1, true) // who is moved frees room, but no quota
		defer v.charge(-1, true)
	}
	slot, ok := s.find(q.g, q.r, &q.r.place)
	if !ok {
		return nil
	}
	// What is promised to those before q.g is not taken by moving others there either.
	kept, _ := s.boundBy(q.g, q.r.pool)
	own := s.takings(q.g, slot)
	takeAll(own, -1)
	defer takeAll(own, 1)
	p := &plan{victims: victims, rules: make([]Rule, len(victims)), moved: map[string]Slot{}}
	var placed []taking
	defer func() { takeAll(placed, 1) }()
	for _, v := range s.largestFirst(victims) {
		r := s.requestIn(v, q.r.pool)
		if r == nil {
			return nil
		}
		others := heldByOthers(victims, v, own)
		takeAll(others, -1)
		to, ok := s.findAnywhere(v, r, &r.place, kept...)
		takeAll(others, 1)
		if !ok {
			return nil
		}
		p.moved[v.ID] = to
		more := s.takings(v, to)
		takeAll(more, -1)
		placed = append(placed, more...)
		p.cost = p.cost.plus(s.weigh(v, false))
	}
	for i := range victims {
		p.rules[i] = ByMove
	}
	p.slot = slot
	return p
}

// heldByOthers returns what the other victims hold beyond what will be the gang's own: v may have left before they have, and
// goes on at once.
func heldByOthers(victims []*gang, v *gang, own []taking) []taking {
	covered := map[*node]topo.Vec{}
	for _, t := range own {
		covered[t.node] = slices.Clone(t.amount)
	}
	var out []taking
	for _, o := range victims {
		if o == v {
			continue
		}
		for _, t := range o.taken {
			amount := slices.Clone(t.amount)
			for k, c := range covered[t.node] {
				given := min(amount[k], c)
				amount[k] -= given
				covered[t.node][k] -= given
			}
			out = append(out, taking{t.node, amount})
		}
	}
	return out
}

// largestFirst orders gangs by what they hold, the largest first.
func (s *State) largestFirst(gangs []*gang) []*gang {
	out := slices.Clone(gangs)
	slices.SortStableFunc(out, func(a, b *gang) int {
		return cmp.Or(-cmp.Compare(s.acceleratorsOf(a), s.acceleratorsOf(b)), byID(a, b))
	})
	return out
}

// carryOutMove writes a plan of moves down.
func (s *State) carryOutMove(g *gang, r *request, p *plan, bounded bool) {
	berth := &Berth{State: Planned, Slot: p.slot, Since: s.now}
	for _, v := range p.victims {
		berth.Victims = append(berth.Victims, Victim{Gang: v.ID, Attempt: v.Berth.Attempt})
	}
	s.decide(Decision{Kind: Plan, Gang: g.ID, Slot: p.slot, Victims: berth.Victims, Bounded: bounded})
	s.assume(g, berth)
	r.pool.movesLeft -= len(p.victims)
	for _, v := range p.victims {
		s.tellToMove(v, p.moved[v.ID], g.ID, ByMove)
	}
}

// tellToMove tells v to leave its berth and to go on in slot.
func (s *State) tellToMove(v *gang, slot Slot, by string, rule Rule) {
	s.decide(Decision{Kind: Move, Gang: v.ID, Slot: slot, For: by, Rule: rule})
	s.withdraw(v)
	b := *v.Berth
	b.Leaving = &Leaving{For: by, Rule: rule, Notice: s.now, Deadline: s.now + v.Grace}
	v.Berth = &b
	v.Next = &Berth{State: Planned, Slot: slot, Since: s.now}
	s.enter(v)
}
