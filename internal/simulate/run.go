package simulate

import (
	"fmt"
	"io"
	"math"

	"github.com/berth-dev/berth/internal/engine"
)

// maxPasses is how often the engine may decide at one instant before that is taken for a loop.
const maxPasses = 1000

// Options say how a run is played.
type Options struct {
	// Scheduler decides; nil: the engine under the input's settings.
	Scheduler Scheduler
	// Blind is true for a scheduler that knows neither levels nor limits and is not held to them.
	Blind bool
	// Events keeps what happened for the report.
	Events bool
	// Progress is told how far the run is, if it is not nil; done counts instants of the scenario from 0 to 1.
	Progress func(done float64)
	// Live gets a line per event as it happens, if it is not nil.
	Live io.Writer
	// Gantt keeps the stays of gangs for the report.
	Gantt bool
}

// run is one play of an input.
type run struct {
	in      *Input
	options Options
	s       Scheduler
	now     engine.Time

	ledger *ledger
	agenda agenda
	saves  agenda
	owners owners
	gangs  map[string]*gang
	// all has every gang in order of submission, nil for one that is over and that nobody will ask for again; lines has what
	// the report says of those.
	all     []*gang
	lines   []GangLine
	foreign map[string]*foreignPod
	pools   map[string]engine.Pool
	cordons map[string][][]string
	// unjoined is true while it is not known which pool each node is in.
	unjoined bool

	counts  phaseCounts
	watch   *watch
	metrics *metrics
	log     log
	// changed are the gangs that something happened to at this instant, started those that got a slot.
	changed, started []*gang
	// stretch counts the times at which something other than the engine changed anything.
	stretch int
	// evened has the stretch in which a gang last left for another by fairness.
	evened   map[eviction]int
	failures []Failure
	// loops are gangs that were evicted again and again though nothing else happened.
	loops []string
	// lowered are limits that were set below what was used; usage may stay above them until it falls.
	lowered map[entitlementOf]bool
}

// eviction names a gang and one that leaves for it.
type eviction struct{ by, of string }

// entitlementOf names a team's entry for a resource of a pool.
type entitlementOf struct{ team, pool, resource string }

// Run plays an input.
func Run(in *Input, options Options) *Report {
	r := newRun(in, options)
	r.prepare()
	r.play()
	r.finish()
	return r.report()
}

func newRun(in *Input, options Options) *run {
	s := options.Scheduler
	if s == nil {
		s = engine.New(in.Config)
	}
	r := &run{
		in: in, options: options, s: s, now: epoch, ledger: newLedger(in.Nodes), owners: newOwners(),
		gangs: map[string]*gang{}, foreign: map[string]*foreignPod{}, pools: map[string]engine.Pool{},
		cordons: map[string][][]string{}, counts: phaseCounts{},
		lowered: map[entitlementOf]bool{}, evened: map[eviction]int{},
	}
	r.log = log{keep: options.Events, live: options.Live}
	r.metrics = newMetrics(r)
	r.watch = newWatch(in.Expect)
	return r
}

// prepare tells the scheduler what there is at the start.
func (r *run) prepare() {
	for _, p := range r.in.Pools {
		r.setPool(p)
	}
	for _, pool := range sortedKeys(r.in.Cordons) {
		r.setCordons(pool, r.in.Cordons[pool])
	}
	for _, n := range r.in.Nodes {
		r.s.SetNode(n)
	}
	for _, t := range r.in.Teams {
		r.setTeam(t)
	}
	for _, q := range r.in.Quotas {
		r.setQuota(q)
	}
}

// play goes from instant to instant until the end.
func (r *run) play() {
	end := engine.Time(math.MaxInt64)
	if r.in.Until > 0 {
		end = instant(r.in.Until)
	}
	events := r.in.Events
	for {
		at, what := r.nextInstant(events)
		if what == nothing || at > end {
			break
		}
		r.metrics.advance(at)
		r.now = at
		r.happen()
		for len(events) > 0 && instant(events[0].At) <= at {
			r.stretch++
			events[0].Action.apply(r)
			events = events[1:]
		}
		if what == something {
			r.publishSaves()
			r.settle()
		}
		r.look()
		if r.options.Progress != nil {
			r.options.Progress(r.progress(end, len(events)))
		}
	}
	if r.in.Until == 0 {
		end = r.now
	}
	r.metrics.advance(end)
	r.now = end
}

// progress is how much of the run is done: of its time, or, where it has no end of its own, of its events.
func (r *run) progress(end engine.Time, left int) float64 {
	if r.in.Until > 0 {
		return float64(r.now-epoch) / float64(end-epoch)
	}
	return 1 - float64(left)/float64(max(len(r.in.Events), 1))
}

// due says what there is to do at an instant.
type due int8

const (
	nothing due = iota
	// looking: an expectation is to be looked at, and nothing else.
	looking
	something
)

// nextInstant is the next time at which something can happen or is to be looked at. Looking changes nothing: a run decides
// at the same instants whatever is expected of it.
func (r *run) nextInstant(events []Event) (next engine.Time, what due) {
	consider := func(at engine.Time, ok bool) {
		if ok && (what == nothing || at < next) {
			next, what = at, something
		}
	}
	if len(events) > 0 {
		consider(instant(events[0].At), true)
	}
	consider(r.agenda.next())
	if at, ok := r.s.Next(r.now); ok && at > r.now {
		consider(at, true)
	}
	if at, ok := r.watch.next(r.now); ok && (what == nothing || at < next) {
		return at, looking
	}
	return next, what
}

// happen lets come about what was bound to by now.
func (r *run) happen() {
	for {
		t, due := r.agenda.pop(r.now)
		if !due {
			return
		}
		switch t.kind {
		case runEnds:
			r.stretch++
			r.end(t.gang, Succeeded, "run complete")
		case podsGone:
			r.gone(t.gang)
		}
	}
}

// publishSaves tells the scheduler of the saves that programs made by themselves since it decided last.
func (r *run) publishSaves() {
	for {
		t, due := r.saves.pop(r.now)
		if !due {
			return
		}
		g := t.gang
		if g.work.running && g.leaving == nil {
			if at := g.work.lastSave(g.program, r.now); at > 0 {
				g.LastCheckpoint, g.Published = at, true
				r.s.SetGang(g.Gang)
			}
		}
		r.foreseeSave(g)
	}
}

func (r *run) foreseeSave(g *gang) {
	if at, ok := g.work.nextSave(g.program, r.now); ok {
		r.saves.add(transition{at: at, gang: g, stay: g.stay})
	}
}

// settle lets the scheduler decide until nothing changes.
func (r *run) settle() {
	for pass := 0; ; pass++ {
		decisions := r.s.Decide(r.now)
		if len(decisions) == 0 {
			if r.abandon() {
				continue
			}
			break
		}
		for _, d := range decisions {
			r.carryOut(d)
		}
		if pass == maxPasses {
			r.fail(0, fmt.Sprintf("at %s the engine decides for ever, lastly %s %s", since(r.now), decisions[0].Kind, decisions[0].Gang))
			break
		}
	}
	r.joinPools()
}

// look checks what must always hold, and the expectations of this instant.
func (r *run) look() {
	r.check()
	r.watch.look(r)
	r.changed, r.started = r.changed[:0], r.started[:0]
}

// touch marks a gang as changed and tells the scheduler.
func (r *run) touch(g *gang) {
	r.changed = append(r.changed, g)
	r.s.SetGang(g.Gang)
}

func (r *run) setPhase(g *gang, phase Phase) {
	r.counts.move(g, phase)
	g.phase = phase
}

// foresee makes what was foreseen for a gang void, and foresees anew.
func (r *run) foresee(g *gang) {
	g.stay++
	if g.work.running {
		if at, ok := g.work.end(g.program); ok {
			r.agenda.add(transition{at: at, kind: runEnds, gang: g, stay: g.stay})
		}
		r.foreseeSave(g)
	}
	if g.leaving != nil {
		r.agenda.add(transition{at: g.leaving.gone, kind: podsGone, gang: g, stay: g.stay})
	}
}
