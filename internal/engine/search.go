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
	search.accept = func(victims []*gang) *plan {
		p := s.rightful(g, r, victims)
		if p == nil || !r.uneven || s.lasts(g, r, victims) {
			return p
		}
		return nil
	}
	search.everywhere(all)
	return search.best, search.bounded
}

// lasts tells whether g has a slot without the victims, which are released, that quotas allow and none of them would undo,
// by what it counts as there.
func (s *State) lasts(g *gang, r *request, victims []*gang) bool {
	slot, ok := s.find(g, r, &r.later)
	return ok && !s.undone(g, r, s.usesOf(g, slot), victims)
}

// everywhere looks into the domains that may hold the gang: nodes if it is one pod, else those of the preferred level and
// then those of the required one.
func (q *search) everywhere(all []candidate) {
	if q.r.pods == 1 {
		q.over(all, q.r.pool.tree.NodeLevel(), false)
		return
	}
	if pref := q.asked.Preferred; pref > q.asked.Required {
		q.over(all, pref, true)
	}
	q.over(all, q.asked.Required, false)
}

// newSearch returns a search for g within the configured budget.
func (s *State) newSearch(g *gang, r *request, asked *place.Request) *search {
	budget := s.cfg.PlanBudget
	if budget == 0 {
		budget = math.MaxInt
	}
	return &search{s: s, g: g, r: r, asked: asked, budget: budget, most: math.MaxInt}
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
	// most is how many victims a plan may have.
	most int
	// chosen are the victims released at present.
	chosen []*gang
	// ownLeft is true when candidates of g's own team are among those of the domain: their leaving gives rights to others.
	ownLeft bool
	// dense has the candidates of the domain under exact search, least cost for each accelerator freed first.
	dense []candidate
	// accept makes a plan of a set of victims, or nil where it may not be.
	accept func(victims []*gang) *plan
}

// over looks into every domain of a level that would hold the gang with all candidates gone.
func (q *search) over(all []candidate, level int, inside bool) {
	q.level, q.inside = level, inside
	if q.settledAtOnce(all) {
		return
	}
	open := q.open(all)
	reach := q.reach(all, open)
	for i, d := range open {
		q.domain = d
		if q.surelyBest(reach[i]) {
			continue
		}
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

// settledAtOnce tells whether the domain of the cheapest candidate gives a plan that nothing can be better than: that
// settles most cases, without a look at all that could be released.
func (q *search) settledAtOnce(all []candidate) bool {
	if len(all) == 0 || len(all[0].taken) == 0 {
		return false
	}
	q.domain = q.r.pool.tree.Ancestor(all[0].taken[0].node.pos, q.level)
	from := q.reach(all, []int32{q.domain})[0]
	if q.byCost(from); q.best == nil || q.best.inside != q.inside {
		return false
	}
	if q.level == 0 {
		return q.surelyBest(all)
	}
	return q.tooDear(all[:1], cost{})
}

// reach returns, for each of the domains, the candidates that hold something of it; where a quota is full also those
// whose leaving makes room in it. Nobody is evicted only for the right to others: the room that they left would be
// filled again, and the right be gone.
func (q *search) reach(all []candidate, domains []int32) [][]candidate {
	out := make([][]candidate, len(domains))
	if q.level == 0 {
		for i := range out {
			out[i] = all
		}
		return out
	}
	place := make([]int32, len(q.r.pool.tree.Levels[q.level]))
	for i, d := range domains {
		place[d] = int32(i + 1)
	}
	full := !q.withinQuota()
	for _, c := range all {
		if full && (c.leaf == q.g.leaf || q.fills(c)) {
			for i := range out {
				out[i] = append(out[i], c)
			}
			continue
		}
		for _, t := range c.taken {
			if t.node.pool != q.r.pool {
				continue
			}
			i := place[q.r.pool.tree.Ancestor(t.node.pos, q.level)] - 1
			if i >= 0 && (len(out[i]) == 0 || out[i][len(out[i])-1].gang != c.gang) {
				out[i] = append(out[i], c)
			}
		}
	}
	return out
}

// fills tells whether c uses some of what keeps g out: a limit of a team above both, or what others do not lend.
func (q *search) fills(c candidate) bool {
	if i := q.s.notLent(q.g.leaf, q.r.asks); i >= 0 && c.charged[i] > 0 {
		return true
	}
	for up := q.g.leaf; up != nil; up = up.parent {
		for i, asks := range q.r.asks {
			if asks > 0 && c.charged[i] > 0 && up.limit[i] != Unlimited && up.used[i]+asks > up.limit[i] && c.leaf.below(up) {
				return true
			}
		}
	}
	return false
}

// below tells whether t is up or a team below it.
func (t *team) below(up *team) bool {
	for ; t != nil; t = t.parent {
		if t == up {
			return true
		}
	}
	return false
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
	return q.s.allows(q.g, q.r.asks, false)
}

// fits tells whether what is released makes a slot in the domain, within quota.
func (q *search) fits() bool {
	if !q.withinQuota() {
		return false
	}
	return q.s.fitsBeside(q.g, q.asked, q.r.pool, q.level, q.domain)
}

// fitsAnyway is fits for the whole domain of the required level where a gang of one pod is looked for node by node: who
// stands in its way on one node is not needed while another would do.
func (q *search) fitsAnyway() bool {
	if q.r.pods > 1 {
		return q.fits()
	}
	tree := q.r.pool.tree
	required := tree.Ancestor(tree.Levels[q.level][q.domain].FirstNode, q.asked.Required)
	return q.withinQuota() && q.s.fitsBeside(q.g, q.asked, q.r.pool, q.asked.Required, required)
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
	q.dropUnless(q.fitsAnyway)
	if len(q.chosen) > 0 {
		q.keep()
	}
}

// dropUnless puts back whoever is not needed for what must hold, in the order chosen.
func (q *search) dropUnless(holds func() bool) {
	for i := 0; i < len(q.chosen); {
		v := q.chosen[i]
		q.drop(i)
		if holds() {
			continue
		}
		q.add(v)
		last := len(q.chosen) - 1
		q.chosen = slices.Insert(q.chosen[:last], i, v)
		i++
	}
}

// plan returns the plan that evicts the chosen victims, nil if they may not be evicted.
func (q *search) plan() *plan {
	victims := slices.Clone(q.chosen)
	slices.SortFunc(victims, byID)
	return q.accept(victims)
}

// keep takes the chosen victims as the best plan if they are rightful and cost less than the best so far.
func (q *search) keep() {
	p := q.plan()
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
