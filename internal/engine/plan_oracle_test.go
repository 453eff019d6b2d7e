package engine_test

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/berth-dev/berth/internal/engine"
)

// planOracle finds the plan of one pending gang by trying all sets of running gangs.
//
// The model: every set of running gangs is taken away, counted out of the usage of its teams, and judged by itself.
//
//   - It is a plan for a level if, with the set gone, the gang fits into one domain of that level (every placement is
//     tried), no limit is passed and nothing is used that is not lent; if there is an order in which the gang may evict
//     each of the set under P2, every victim counted out before the next is judged, with at most one straddling victim a
//     team; and if none of the set could evict the gang afterwards.
//     No victim is too many: there is a domain that holds the gang only with all of them gone.
//   - What it costs is compared as P3 lists it: the least number of straddling victims over all orders; accelerators times
//     time at stake of Production victims, of Batch, of Interactive; accelerators freed; the number of victims; their names.
//   - Time at stake is that since the last checkpoint or the start, at most the cap; of a gang that never published a
//     checkpoint at most the (lower) median over those of its tier that did.
//   - The cheapest set for the preferred level is the plan, unless a set for the required level needs no victim of a tier
//     as high as its highest: then the cheapest of those.
type planOracle struct {
	*model
	g       engine.Gang
	pool    string
	asks    map[pair]int64
	running []engine.Gang
}

// plannedSet is a set of victims with its price.
type plannedSet struct {
	victims    []engine.Gang
	straddling int
	work       [3]*big.Int
	freed      int64
}

func newPlanOracle(r *records, id, pool string) *planOracle {
	o := &planOracle{model: newModel(r), g: r.gangs[id], pool: pool}
	o.asks = o.model.asks(o.g, pool)
	for _, other := range sortedKeys(r.gangs) {
		if v := r.gangs[other]; v.Berth != nil {
			o.running = append(o.running, v)
		}
	}
	return o
}

// solve returns the plan, nil if there is none.
func (o *planOracle) solve() *plannedSet {
	pool := o.pools[o.pool]
	var inside *plannedSet
	if depth(pool, o.g.Preferred) > depth(pool, o.g.Required) {
		inside = o.cheapest(o.g.Preferred, engine.Production+1)
	}
	if inside == nil {
		return o.cheapest(o.g.Required, engine.Production+1)
	}
	if outside := o.cheapest(o.g.Required, inside.highest()); outside != nil {
		return outside
	}
	return inside
}

// cheapest returns the cheapest set for a level with victims of tiers below one.
func (o *planOracle) cheapest(level string, below engine.Tier) *plannedSet {
	var best *plannedSet
	for bits := 1; bits < 1<<len(o.running); bits++ {
		var victims []engine.Gang
		for i, v := range o.running {
			if bits>>i&1 == 1 {
				victims = append(victims, v)
			}
		}
		if set := o.judge(victims, level); set != nil && set.highest() < below && (best == nil || set.compare(best) < 0) {
			best = set
		}
	}
	return best
}

// judge prices a set, nil if it is no plan for the level.
func (o *planOracle) judge(victims []engine.Gang, level string) *plannedSet {
	if !o.makesRoom(victims, level) || !o.allNeeded(victims, level) {
		return nil
	}
	straddling, ok := o.rightful(o.g, o.asks, victims)
	if !ok || o.undone(o.g, o.asks, o.pool, victims) {
		return nil
	}
	set := &plannedSet{victims: victims, straddling: straddling}
	for i := range set.work {
		set.work[i] = new(big.Int)
	}
	for _, v := range victims {
		accelerators := o.uses(v, v.Berth.Slot)[pair{o.pool, gpu}]
		set.freed += accelerators
		w := set.work[engine.Production-v.Tier]
		w.Add(w, new(big.Int).Mul(big.NewInt(accelerators), big.NewInt(o.atStake(v))))
	}
	return set
}

// makesRoom tells whether the gang fits into a domain of a level, within quota, when victims are gone.
func (o *planOracle) makesRoom(victims []engine.Gang, level string) bool {
	return slices.Contains(o.rooms(victims, level), true)
}

// allNeeded tells whether there is a domain that holds the gang only with all of the victims gone.
func (o *planOracle) allNeeded(victims []engine.Gang, level string) bool {
	rooms := o.rooms(victims, level)
	for i := range victims {
		for d, fits := range o.rooms(slices.Delete(slices.Clone(victims), i, i+1), level) {
			rooms[d] = rooms[d] && !fits
		}
	}
	return slices.Contains(rooms, true)
}

// rooms tells for each domain of a level whether the gang fits there, within quota, when victims are gone.
func (o *planOracle) rooms(victims []engine.Gang, level string) []bool {
	gone := func(g engine.Gang) bool {
		return slices.ContainsFunc(victims, func(v engine.Gang) bool { return v.ID == g.ID })
	}
	for _, v := range victims {
		o.count(v, -1)
	}
	allowed := !o.overLimit(o.leaf(o.g), o.asks, false) && o.lent(o.leaf(o.g), o.asks)
	for _, v := range victims {
		o.count(v, 1)
	}
	free := o.free(o.pool, func(g engine.Gang, _ *engine.Berth) bool { return !gone(g) })
	out := o.fitsWhere(o.g, o.pool, level, free)
	for d := range out {
		out[d] = out[d] && allowed
	}
	return out
}

func (o *planOracle) atStake(v engine.Gang) int64 {
	t := min(o.sinceSaved(v), hour)
	if v.Published {
		return t
	}
	var usual []int64
	for _, g := range o.running {
		if g.Tier == v.Tier && g.Published {
			usual = append(usual, min(o.sinceSaved(g), hour))
		}
	}
	if len(usual) == 0 {
		return t
	}
	slices.Sort(usual)
	return min(t, usual[(len(usual)-1)/2])
}

func (o *planOracle) sinceSaved(v engine.Gang) int64 {
	return o.now - max(v.Berth.Started, v.LastCheckpoint)
}

// asCheap tells whether victims cost as much as the plan for one of its levels: then nothing but names sets the two apart.
func (o *planOracle) asCheap(names []string, plan *plannedSet) bool {
	victims := slices.DeleteFunc(slices.Clone(o.running), func(v engine.Gang) bool { return !slices.Contains(names, v.ID) })
	if plan == nil || len(victims) == 0 {
		return false
	}
	for _, level := range []string{o.g.Preferred, o.g.Required} {
		if o.judge(plan.victims, level) != nil { // the level that the plan is for
			set := o.judge(victims, level)
			return set != nil && set.price(plan) == 0
		}
	}
	return false
}

func (p *plannedSet) highest() engine.Tier {
	top := engine.Interactive
	for _, v := range p.victims {
		top = max(top, v.Tier)
	}
	return top
}

func (p *plannedSet) compare(q *plannedSet) int {
	return cmp.Or(p.price(q), slices.Compare(p.names(), q.names()))
}

// price compares what two sets cost, names left aside.
func (p *plannedSet) price(q *plannedSet) int {
	return cmp.Or(cmp.Compare(p.straddling, q.straddling), p.work[0].Cmp(q.work[0]), p.work[1].Cmp(q.work[1]),
		p.work[2].Cmp(q.work[2]), cmp.Compare(p.freed, q.freed), cmp.Compare(len(p.victims), len(q.victims)))
}

func (p *plannedSet) names() (out []string) {
	if p == nil {
		return nil
	}
	for _, v := range p.victims {
		out = append(out, v.ID)
	}
	return out
}

func (p *plannedSet) String() string {
	if p == nil {
		return "no plan"
	}
	return strings.Join(p.names(), " ")
}
