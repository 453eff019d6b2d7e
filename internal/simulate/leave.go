package simulate

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// evictionsKept is how many evictions a gang's record holds: back-off looks at the last hour and stops growing at five.
const evictionsKept = 8

// notify tells a gang to leave; with next it goes on there.
func (r *run) notify(g *gang, d engine.Decision, next *engine.Berth) {
	if !g.occupies() {
		r.lose(g, next)
		return
	}
	dep := g.work.depart(g.program, g.Checkpoints, g.Grace, r.now)
	g.leaving = &dep
	berth := *g.Berth
	berth.Leaving = &engine.Leaving{For: d.For, Rule: d.Rule, Notice: r.now, Deadline: r.now + g.Grace, Signaled: true}
	g.Berth, g.Next = &berth, next
	r.setPhase(g, Preempting)
	r.foresee(g)
	r.touch(g)
	what := "Evicted"
	if next != nil {
		what = "Moved"
	}
	r.log.add(r.now, g.ID, what, fmt.Sprintf("%s, until %s", cause(d), since(dep.gone)))
}

// shrink tells a gang's surplus pods to leave.
func (r *run) shrink(g *gang, d engine.Decision) {
	dep := g.work.depart(g.program, g.Checkpoints, g.Grace, r.now)
	g.leaving, g.shrinkTo = &dep, &d.Slot
	berth := *g.Berth
	berth.Leaving = &engine.Leaving{
		For: d.For, Rule: d.Rule, Notice: r.now, Deadline: r.now + g.Grace, Signaled: true, Keep: &d.Slot,
	}
	g.Berth = &berth
	r.foresee(g)
	r.touch(g)
	r.log.add(r.now, g.ID, "Shrinking", fmt.Sprintf("to %s %s", brief(d.Slot), forWhom(d)))
}

// spare calls a gang's leaving off.
func (r *run) spare(g *gang) {
	g.leaving, g.shrinkTo, g.Next = nil, nil, nil
	if g.Berth != nil {
		berth := *g.Berth
		berth.Leaving = nil
		g.Berth = &berth
	}
	r.setPhase(g, Running)
	r.foresee(g)
	r.touch(g)
	r.log.add(r.now, g.ID, "Spared", "")
}

// gone is when the pods that were told to leave have left.
func (r *run) gone(g *gang) {
	dep, leaving := g.leaving, g.Berth.Leaving
	switch {
	case g.shrinkTo != nil:
		slot := *g.shrinkTo
		g.leaving, g.shrinkTo = nil, nil
		r.resize(g, slot)
		r.foresee(g)
		r.log.add(r.now, g.ID, "Shrunk", "to "+brief(slot))
	case g.Next != nil && leaving.For != "" && g.Answers && !dep.acknowledged:
		g.MoveRefused = r.now
		r.spare(g)
	default:
		kept := g.work.saved(g.program, r.now)
		if dep.acknowledged {
			kept, g.Published = max(kept, dep.kept), true
		}
		r.leave(g, kept)
	}
}

// leave gives a gang's berth back after a notice, and goes on in the next one if there is one.
func (r *run) leave(g *gang, kept int64) {
	leaving, next := g.Berth.Leaving, g.Next
	r.vacate(g, kept)
	preempted := leaving.Rule != engine.ByFault && leaving.Rule != engine.ByDrain && (next == nil || leaving.For != "")
	if preempted {
		g.preemptions++
		r.metrics.evicted(leaving.Rule)
		if leaving.Rule == engine.ByPromise {
			r.stretch++ // a run's assumed time is over, as with maxRuntime
		}
		r.countEviction(g)
	}
	if next != nil {
		if leaving.For != "" {
			g.LastMove = r.now
		}
		r.start(g, next.Slot, "moved")
		if slices.ContainsFunc(g.nodes, func(n string) bool { return !r.ledger.nodes[n].Ready }) {
			r.strike(g) // the node failed while the gang was on its way
		}
		return
	}
	if preempted {
		g.Evictions = append(slices.Clone(g.Evictions), r.now)
		g.Evictions = g.Evictions[max(0, len(g.Evictions)-evictionsKept):]
	}
	r.wait(g)
	r.log.add(r.now, g.ID, "Left", "")
}

// wait puts a gang back into its team's order.
func (r *run) wait(g *gang) {
	g.Berth, g.Next, g.leaving, g.dead, g.LastCheckpoint = nil, nil, nil, false, 0
	r.respec(g)
	r.setPhase(g, Pending)
	r.foresee(g)
	r.touch(g)
}

// lose is what an eviction means to a gang that has no pods any more.
func (r *run) lose(g *gang, next *engine.Berth) {
	if next != nil {
		r.start(g, next.Slot, "moved")
		return
	}
	r.wait(g)
}

// strike is what a failing node does to a gang that has pods on it: all of its pods stop at once.
func (r *run) strike(g *gang) {
	kept := g.work.saved(g.program, r.now)
	if g.leaving != nil && g.shrinkTo == nil {
		g.leaving.acknowledged = false
		r.leave(g, kept)
		return
	}
	r.vacate(g, kept)
	g.dead, g.LastCheckpoint = true, 0
	r.setPhase(g, Pending)
	r.foresee(g)
	r.touch(g)
	r.log.add(r.now, g.ID, "Failing", "a node failed under it")
}

// abandon gives up the berths of gangs that a node failed under, where the scheduler has left them, and reports whether
// there were any.
func (r *run) abandon() bool {
	some := false
	for _, g := range slices.Clone(r.changed) {
		if g.dead && !g.over() && r.gangs[g.ID] == g {
			some = true
			r.wait(g)
		}
	}
	return some
}

// countEviction counts evictions since something other than the engine last changed anything.
func (r *run) countEviction(g *gang) {
	if g.recent.stretch != r.stretch {
		g.recent = recentEvictions{stretch: r.stretch}
	}
	if g.recent.count++; g.recent.count == loopAfter {
		r.loops = append(r.loops, g.ID)
	}
}
