package engine

import (
	"math"
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
)

// plan returns the cheapest plan for g in r's pool by P3, nil if there is none, and whether the search stopped at a
// bound before it had looked everywhere.
func (s *State) plan(g *gang, r *request) (*plan, bool) {
	all := s.candidates(g, r)
	if len(all) == 0 {
		return nil, false
	}
	search := s.newSearch(g, r, &r.later)
	search.accept = func(victims []*gang) *plan { return s.rightful(g, r, victims) }
	if pref := r.place.Preferred; pref > r.place.Required {
		search.over(all, pref, true)
	}
	search.over(all, r.place.Required, false)
	return search.best, search.bounded
}

// newSearch returns a search for g within the configured budget.
func (s *State) newSearch(g *gang, r *request, asked *place.Request) *search {
	budget := s.cfg.PlanBudget
	if budget == 0 {
		budget = math.MaxInt
	}
	return &search{s: s, g: g, r: r, asked: asked, budget: budget}
}

// search looks for the cheapest plan of one gang, domain by domain.
type search struct {
	s      *State
	g      *gang
	r      *request
	level  int
	domain int32
	inside bool
	// moving is true when victims are moved, to which nobody needs a right.
	moving bool
	best   *plan
	// asked is what is looked for, on the room that the search plans on.
	asked   *place.Request
	budget  int
	bounded bool
	// chosen are the victims released at present.
	chosen []*gang
	// dense has the candidates of the domain under exact search, least cost for each accelerator freed first.
	dense []candidate
	// accept makes a plan of a set of victims, or nil where it may not be.
	accept func(victims []*gang) *plan
}

// over looks into every domain of a level that would hold the gang with all candidates gone.
func (q *search) over(all []candidate, level int, inside bool) {
	q.level, q.inside = level, inside
	if len(q.r.pool.tree.Levels[level]) == 1 {
		// The cheapest few settle most cases, without a look at all that could be released.
		q.domain = 0
		if q.byCost(all); q.best != nil && q.surelyBest(all) {
			return
		}
	}
	open := q.open(all)
	reach := make([][]candidate, len(open))
	for i, d := range open {
		q.domain, reach[i] = d, q.within(all, d)
		q.byCost(reach[i])
		if !q.surelyBest(reach[i]) {
			q.byNode(reach[i])
		}
	}
	for i, d := range open {
		q.domain = d
		if !q.surelyBest(reach[i]) {
			q.exact(reach[i])
		}
	}
}

// open returns the domains of the level that hold the gang with all candidates gone.
func (q *search) open(all []candidate) []int32 {
	for _, v := range all {
		q.s.release(v.gang)
	}
	var out []int32
	if q.withinQuota() && q.r.accelerators <= 1000*q.asked.Room.Idle(0, 0) {
		out = q.holding(q.level)
	}
	for _, v := range all {
		q.s.restore(v.gang)
	}
	return out
}

// holding returns the domains of a level that hold the gang as the room stands.
func (q *search) holding(level int) []int32 {
	var out []int32
	for d := range int32(len(q.r.pool.tree.Levels[level])) {
		if ok, bounded := q.s.finder.FitsIn(q.asked, level, d); ok || bounded {
			out = append(out, d)
		}
	}
	return out
}

// surelyBest tells whether nothing in the domain could be better than the best plan so far: the cheapest candidates, as
// many as are needed at least, cost as much.
func (q *search) surelyBest(from []candidate) bool {
	need := q.victimsNeeded(from)
	return need > len(from) || q.tooDear(from[:need], cost{})
}

// within returns the candidates that hold something of domain d, and those of g's own team, whose leaving makes room in
// quotas.
func (q *search) within(all []candidate, d int32) []candidate {
	if q.level == 0 {
		return all
	}
	dom := q.r.pool.tree.Levels[q.level][d]
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		return c.leaf != q.g.leaf && !slices.ContainsFunc(c.taken, func(t taking) bool {
			return t.node.pool == q.r.pool && t.node.pos >= dom.FirstNode && t.node.pos < dom.EndNode
		})
	})
}

// add releases one more victim, drop puts one back.
func (q *search) add(v *gang) {
	q.s.release(v)
	q.chosen = append(q.chosen, v)
}

func (q *search) drop(i int) {
	q.s.restore(q.chosen[i])
	q.chosen = slices.Delete(q.chosen, i, i+1)
}

func (q *search) dropAll() {
	for len(q.chosen) > 0 {
		q.drop(len(q.chosen) - 1)
	}
}

// withinQuota tells whether quotas allow the gang with what is released.
func (q *search) withinQuota() bool {
	t, _ := q.g.leaf.overLimit(q.r.asks, false)
	return t == nil && q.s.notLent(q.g.leaf, q.r.asks) < 0
}

// fits tells whether what is released makes a slot in the domain, within quota.
func (q *search) fits() bool {
	if !q.withinQuota() {
		return false
	}
	return q.s.fitsBeside(q.g, q.asked, q.r.pool, q.level, q.domain)
}

// byCost releases the cheapest candidates one by one until the gang fits, those that straddle their guarantee last, then
// puts back who is not needed.
func (q *search) byCost(from []candidate) {
	fits := q.fits()
	for _, straddlers := range []bool{false, true} {
		for _, v := range from {
			if fits {
				break
			}
			if !slices.Contains(q.chosen, v.gang) && q.may(v.gang, straddlers) {
				q.add(v.gang)
				fits = q.enoughIdle() && q.fits()
			}
		}
	}
	q.settle()
}

// enoughIdle tells whether the domain has as many idle accelerators as the gang asks for: without them nothing fits.
func (q *search) enoughIdle() bool {
	return q.r.accelerators <= 1000*q.asked.Room.Idle(q.level, q.domain)
}

// may tells whether v may be added to the chosen victims as usage stands.
func (q *search) may(v *gang, straddlers bool) bool {
	if q.moving {
		return true
	}
	rule, straddles := q.s.ruleFor(q.g, q.r, v)
	return rule != NoRule && (straddlers || !straddles)
}

// settle drops who is not needed, dearest first, and keeps the plan if it is rightful and the best so far. Nothing stays
// released.
func (q *search) settle() {
	defer q.dropAll()
	if len(q.chosen) == 0 || !q.fits() {
		return
	}
	slices.SortFunc(q.chosen, func(a, b *gang) int {
		if c := q.s.weigh(b, false).compare(q.s.weigh(a, false)); c != 0 {
			return c
		}
		return byID(b, a)
	})
	for i := 0; i < len(q.chosen); {
		v := q.chosen[i]
		q.drop(i)
		if q.fits() {
			continue
		}
		q.add(v)
		last := len(q.chosen) - 1
		q.chosen = slices.Insert(q.chosen[:last], i, v)
		i++
	}
	if len(q.chosen) > 0 {
		q.keep()
	}
}

// keep takes the chosen victims as the best plan if they are rightful and cost less than the best so far.
func (q *search) keep() {
	victims := slices.Clone(q.chosen)
	slices.SortFunc(victims, byID)
	p := q.accept(victims)
	if p == nil {
		return
	}
	p.inside = q.inside
	if p.better(q.best) {
		q.best = p
	}
}

// fitsBeside tells whether g fits into a domain of the room of asked as it stands, promises to others kept; domain -1
// means any.
func (s *State) fitsBeside(g *gang, asked *place.Request, p *pool, level int, domain int32) bool {
	return s.keeping(g, p, func() (ok bool) {
		if domain < 0 {
			ok, _ = s.finder.Fits(asked)
		} else {
			ok, _ = s.finder.FitsIn(asked, level, domain)
		}
		return ok
	})
}
