package engine

import (
	"cmp"
	"math/bits"
	"slices"
)

// exact tries all sets of candidates that could cost less than the best plan so far, cheapest first, within the budget.
func (q *search) exact(from []candidate) {
	if q.best != nil && q.best.inside && !q.inside {
		// Outside the preferred level only a plan with lower tiers is better.
		top := q.best.highest()
		from = slices.DeleteFunc(slices.Clone(from), func(c candidate) bool { return c.Tier >= top })
	}
	q.dense = slices.Clone(from)
	slices.SortStableFunc(q.dense, func(a, b candidate) int { return perFreed(a.cost, b.cost) })
	q.ownLeft = slices.ContainsFunc(from, func(c candidate) bool { return c.leaf == q.g.leaf })
	q.branch(from, cost{})
	q.dropAll()
}

// branch extends the chosen victims by each of from in turn.
func (q *search) branch(from []candidate, spent cost) {
	if q.budget <= 0 {
		q.bounded = true
		return
	}
	q.budget--
	if len(q.chosen) > 0 && q.fits() {
		if q.minimal() {
			q.keep()
		}
		return
	}
	need := q.victimsNeeded(from)
	if len(q.chosen)+need > q.most {
		return
	}
	for i, c := range from {
		if i+need > len(from) || q.bounded || q.hopeless(from[i:], need, i, spent) {
			return
		}
		if i > 0 && twins(from[i-1].gang, c.gang) {
			continue // its twin was tried in its place
		}
		if c.leaf != q.g.leaf && !q.ownLeft && !q.may(c.gang, true) {
			continue // nothing that follows gives a right to it
		}
		q.add(c.gang)
		q.branch(from[i+1:], spent.plus(c.cost))
		q.drop(len(q.chosen) - 1)
	}
}

// hopeless tells whether nothing that is left can be part of a better plan; the bound that takes long is looked at now and
// then.
func (q *search) hopeless(left []candidate, need, i int, spent cost) bool {
	return q.tooDear(left[:need], spent) || i%16 == 0 && q.tooDearByDensity(left, spent)
}

// minimal tells whether each of the chosen victims is needed for the room or the quota.
func (q *search) minimal() bool {
	for _, v := range q.chosen {
		q.s.restore(v)
		spare := q.fitsAnyway()
		q.s.release(v)
		if spare {
			return false
		}
	}
	return true
}

// victimsNeeded returns how many of from are needed at least: what the gang asks for beyond what is idle in the domain,
// divided by what one of them holds at most.
func (q *search) victimsNeeded(from []candidate) int {
	lacking := q.lacking()
	most := int64(0)
	for _, c := range from {
		most = max(most, c.cost.freed)
	}
	if lacking <= 0 || most == 0 {
		return 1
	}
	return int((lacking + most - 1) / most)
}

// tooDear tells whether even the cheapest that could follow cost more than the best plan.
func (q *search) tooDear(cheapest []candidate, spent cost) bool {
	if q.best == nil || q.best.inside != q.inside {
		return false
	}
	for _, c := range cheapest {
		spent = spent.plus(c.cost)
	}
	return spent.compare(q.best.cost) >= 0
}

// tooDearByDensity tells whether even a fractional choice from what is left, least cost for each accelerator first, costs
// more than the best plan.
func (q *search) tooDearByDensity(left []candidate, spent cost) bool {
	lacking := q.lacking()
	if q.best == nil || q.best.inside != q.inside || lacking <= 0 {
		return false
	}
	least := left[0]
	for _, c := range q.dense {
		if lacking <= 0 {
			break
		}
		if c.cost.freed == 0 || cmp.Or(c.cost.compare(least.cost), byID(c.gang, least.gang)) < 0 || slices.Contains(q.chosen, c.gang) {
			continue // tried before, or chosen
		}
		part := min(lacking, c.cost.freed)
		for t := range spent.work {
			spent.work[t] = spent.work[t].plus(c.cost.work[t].over(c.cost.freed).by(part))
		}
		lacking -= part
	}
	spent.freed, spent.count = 0, 0
	return lacking > 0 || spent.compare(q.best.cost) > 0
}

// lacking returns how many accelerators are asked for beyond what is idle in the domain, in thousandths.
func (q *search) lacking() int64 {
	return q.r.accelerators - 1000*q.asked.Room.Idle(q.level, q.domain)
}

// perFreed compares what two candidates cost for each accelerator that they free.
func perFreed(a, b cost) int {
	for t := range a.work {
		x, y := a.work[t].over(max(a.freed, 1)), b.work[t].over(max(b.freed, 1))
		if c := x.compare(y); c != 0 {
			return c
		}
	}
	return 0
}

// over divides, rounded down; by multiplies.
func (a wide) over(n int64) wide {
	hi, rest := bits.Div64(0, a.hi, uint64(n))
	lo, _ := bits.Div64(rest, a.lo, uint64(n))
	return wide{hi, lo}
}

func (a wide) by(n int64) wide {
	hi, lo := bits.Mul64(a.lo, uint64(n))
	return wide{hi + a.hi*uint64(n), lo}
}

// twins tells whether two candidates are as good as one another: same team, tier and place. The first by name is then
// taken first.
func twins(a, b *gang) bool {
	if a.leaf != b.leaf || a.Tier != b.Tier || a.Berth.State != b.Berth.State || len(a.taken) != len(b.taken) {
		return false
	}
	for i := range a.taken {
		if a.taken[i].node != b.taken[i].node || !slices.Equal(a.taken[i].amount, b.taken[i].amount) {
			return false
		}
	}
	return a.Berth.Started == b.Berth.Started && a.LastCheckpoint == b.LastCheckpoint && a.Published == b.Published
}
