package simulate

import (
	"fmt"

	"github.com/berth-dev/berth/internal/engine"
)

// carryOut does with a decision what the manager would do with it, at once: a gang that is admitted runs.
func (r *run) carryOut(d engine.Decision) {
	g, known := r.gangs[d.Gang]
	if !known || g.over() {
		r.fail(0, fmt.Sprintf("at %s the engine decides %s for %s, which is not there", since(r.now), d.Kind, d.Gang))
		return
	}
	switch d.Kind {
	case engine.Admit, engine.Replace, engine.Plan, engine.Promise, engine.Grow:
		r.give(g, d)
	case engine.Evict, engine.Move, engine.Shrink, engine.Release, engine.Spare, engine.Expire:
		r.take(g, d)
	case engine.Head:
		if d.At == 0 && g.HeadSince != 0 {
			g.Heading += r.now - g.HeadSince
		}
		g.HeadSince = d.At
		r.s.SetGang(g.Gang)
	}
}

// give carries out a decision that gives a gang a slot, now or later.
func (r *run) give(g *gang, d engine.Decision) {
	switch d.Kind {
	case engine.Admit:
		if g.occupies() {
			r.fail(0, fmt.Sprintf("at %s the engine admits %s, which runs", since(r.now), g.ID))
			return
		}
		r.start(g, d.Slot, "started")
	case engine.Replace:
		r.vacate(g, g.work.saved(g.program, r.now))
		r.start(g, d.Slot, "replaced")
	case engine.Plan:
		r.plan(g, d)
	case engine.Promise:
		g.Berth = &engine.Berth{State: engine.Future, Slot: d.Slot, NotBefore: d.At, Basis: d.Basis, Since: r.now}
		r.touch(g)
		r.log.add(r.now, g.ID, "Promised", fmt.Sprintf("from %s on %s", since(d.At), brief(d.Slot)))
	case engine.Grow:
		r.resize(g, d.Slot)
		r.log.add(r.now, g.ID, "Grown", "to "+brief(d.Slot))
	default: // takes
	}
}

// take carries out a decision that takes from a gang what it holds, or calls that off.
func (r *run) take(g *gang, d engine.Decision) {
	if d.Rule == engine.ByFairness {
		r.evened[eviction{d.For, d.Gang}] = r.stretch
	}
	switch d.Kind {
	case engine.Evict:
		r.notify(g, d, nil)
	case engine.Move:
		r.notify(g, d, &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: r.now})
	case engine.Shrink:
		r.shrink(g, d)
	case engine.Release:
		if d.Rule == engine.ByIdle {
			g.PromiseRefused = r.now
		}
		r.wait(g)
		r.log.add(r.now, g.ID, "Released", cause(d))
	case engine.Spare:
		r.spare(g)
	case engine.Expire:
		r.stretch++
		r.end(g, Failed, "MaxRuntimeExceeded")
	default: // gives
	}
}

// start runs a gang on a slot.
func (r *run) start(g *gang, slot engine.Slot, how string) {
	g.attempts++
	g.Berth = &engine.Berth{
		State: engine.Occupied, Attempt: g.attempts, Slot: slot, Since: r.now, Started: r.now,
	}
	g.Next, g.dead, g.Heading, g.HeadSince, g.LastCheckpoint = nil, false, 0, 0, 0
	if g.admitted == 0 {
		g.admitted = r.now
	}
	r.ledger.place(g, slot, 1)
	r.describe(g, slot)
	g.work.start(r.now)
	r.setPhase(g, Running)
	r.foresee(g)
	r.touch(g)
	g.estimate, g.best = r.s.Communication(g.ID)
	r.started = append(r.started, g)
	r.metrics.started(g, slot)
	r.log.add(r.now, g.ID, "Running", how+" on "+brief(slot))
}

// describe notes what the report says of a gang's slot.
func (r *run) describe(g *gang, slot engine.Slot) {
	g.nodes, g.level = distinct(ranks(slot)), slot.Level
	g.accelerators = 0
	for _, part := range slot.Roles {
		if role := roleNamed(g.Roles, part.Role); role != nil {
			g.accelerators += weigh(role.Pod.Requests, r.pools[slot.Pool].Accelerators) * int64(len(part.Nodes))
		}
	}
}

// vacate takes a gang's pods off their nodes with so much of its work kept.
func (r *run) vacate(g *gang, kept int64) {
	if !g.occupies() {
		return
	}
	gained, lost := g.work.stop(kept, r.now)
	if g.leaving != nil && g.leaving.acknowledged {
		lost = 0 // what it did between the signal and its answer was never promised to anyone
	}
	g.Ran += gained
	g.lost += float64(lost) * float64(g.accelerators)
	r.metrics.lost += float64(lost) * float64(g.accelerators)
	r.ledger.place(g, g.Berth.Slot, -1)
	r.metrics.stopped(g)
	g.leaving, g.shrinkTo = nil, nil
}

// plan holds a slot for a gang until its victims have left. A gang whose berth was lost to a fault gives up the old one.
func (r *run) plan(g *gang, d engine.Decision) {
	g.dead = false
	g.Berth = &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: r.now, Victims: d.Victims}
	r.touch(g)
	r.log.add(r.now, g.ID, "Planned", fmt.Sprintf("%s when %s left", brief(d.Slot), victims(d.Victims)))
}

// resize changes the slot of a gang that stays.
func (r *run) resize(g *gang, slot engine.Slot) {
	r.ledger.place(g, g.Berth.Slot, -1)
	r.metrics.stopped(g)
	berth := *g.Berth
	berth.Slot, berth.Leaving = slot, nil
	g.Berth = &berth
	r.ledger.place(g, slot, 1)
	r.describe(g, slot)
	r.metrics.started(g, slot)
	r.started = append(r.started, g)
	r.touch(g)
}

// end is the last thing that happens to a gang.
func (r *run) end(g *gang, phase Phase, why string) {
	if g.occupies() {
		kept := g.work.done(r.now)
		if phase == Failed {
			kept = g.work.saved(g.program, r.now)
		}
		g.leaving = nil
		r.vacate(g, kept)
	}
	r.setPhase(g, phase)
	g.finished = r.now
	g.Berth, g.Next, g.leaving, g.dead = nil, nil, nil, false
	g.stay++
	r.changed = append(r.changed, g)
	r.s.RemoveGang(g.ID)
	r.log.add(r.now, g.ID, string(phase), why)
	r.slim(g)
}

// slim lets go of a gang of a trace that is over: nobody asks for it again but the report, and there may be a million.
func (r *run) slim(g *gang) {
	if r.options.Gantt || r.in.Measure == 0 {
		return
	}
	r.lines[g.order] = r.line(g)
	r.all[g.order] = nil
	delete(r.gangs, g.ID)
}
