package play

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/simulate"
)

const (
	// tick is how often the player looks at what can only be found by looking.
	tick = 100 * time.Millisecond
	// quiet is how long nothing more must happen on the cluster before the play is over.
	quiet = 3 * time.Second
)

// performance is one play of a scenario.
type performance struct {
	*Stage
	in    *simulate.Input
	opts  Options
	speed speed
	begun time.Time
	// now is the player's clock, in time of the scenario.
	now time.Duration
	// said is what the simulator says, due how many of its steps there are of each gang by now, excused how many of them
	// were waited for in vain.
	said         []Step
	next         int
	due, excused map[string]int

	// behind is by how much the cluster was late at most.
	behind time.Duration

	changes  <-chan change
	gangs    map[string]*actor
	ids      map[types.UID]string
	done     []Step
	count    map[string]int
	resizing map[string]bool
}

// actor is a gang on the stage.
type actor struct {
	seen    look
	uid     types.UID
	job     *v1alpha1.GangJob
	attempt int32
	program *program
	// surplus are pods that are to stop, nil for none.
	surplus *surplus
	// rule is the one under which it was told to leave, for causes of its own as well.
	rule string
}

// surplus are the pods of a gang beyond so many of each role, and when they will have stopped.
type surplus struct {
	at   time.Duration
	keep map[string]int
}

func newPerformance(s *Stage, in *simulate.Input, opts Options, said []Step) *performance {
	return &performance{
		Stage: s, in: in, opts: opts, speed: speed(opts.Speed), said: said, due: map[string]int{}, excused: map[string]int{},
		gangs: map[string]*actor{}, ids: map[types.UID]string{}, count: map[string]int{}, resizing: map[string]bool{},
	}
}

// perform goes from instant to instant until neither the scenario nor the simulator has anything to come.
func (p *performance) perform(ctx context.Context) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := p.watch(watching)
	if err != nil {
		return err
	}
	p.changes, p.begun = changes, time.Now()
	events := p.in.Events
	for {
		at, ok := p.nextInstant(events)
		if !ok {
			break
		}
		if err := p.until(ctx, p.begun.Add(p.speed.divide(at)), nil); err != nil {
			return err
		}
		p.now = at
		if err := p.direct(ctx); err != nil {
			return err
		}
		n := 0
		for n < len(events) && events[n].At <= at {
			n++
		}
		if err := p.apply(ctx, events[:n]); err != nil {
			return err
		}
		events = events[n:]
		if err := p.catchUp(ctx); err != nil {
			return err
		}
	}
	for rest := -1; rest != len(p.done); {
		rest = len(p.done)
		if err := p.until(ctx, time.Now().Add(quiet), nil); err != nil {
			return err
		}
	}
	return nil
}

// nextInstant is when something is to happen next: an event, the end or stop of a program, a step of the simulator.
func (p *performance) nextInstant(events []simulate.Event) (at time.Duration, ok bool) {
	consider := func(t time.Duration) {
		if t = max(t, p.now); !ok || t < at {
			at, ok = t, true
		}
	}
	if len(events) > 0 {
		consider(events[0].At)
	}
	if p.next < len(p.said) {
		consider(p.said[p.next].At)
	}
	for _, a := range p.gangs {
		// Programs go on for ever; what is not before the end of the scenario does not matter.
		if t, _, due := a.program.next(); due && t <= p.in.Until {
			consider(t)
		}
		if a.surplus != nil {
			consider(a.surplus.at)
		}
	}
	return at, ok
}

// direct makes programs end and stop whose time has come.
func (p *performance) direct(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(p.gangs)) {
		a := p.gangs[id]
		if a.surplus != nil && a.surplus.at <= p.now {
			keep := a.surplus.keep
			a.surplus = nil
			err := p.stop(ctx, a, func(pod *corev1.Pod) bool { return rankOf(pod) >= keep[pod.Labels[v1alpha1.LabelRole]] })
			if err != nil {
				return err
			}
		}
		at, stops, due := a.program.next()
		if !due || at > p.now {
			continue
		}
		a.program.done = true
		if err := p.finish(ctx, id, a, stops); err != nil {
			return err
		}
	}
	return nil
}

// catchUp lets the clock stand still until all has come about that the simulator says has by now.
func (p *performance) catchUp(ctx context.Context) error {
	for p.next < len(p.said) && p.said[p.next].At <= p.now {
		p.due[p.said[p.next].Gang]++
		p.next++
	}
	if err := p.until(ctx, time.Now().Add(p.opts.Patience), p.caughtUp); err != nil {
		return err
	}
	for gang, due := range p.due {
		if missing := due - p.count[gang] - p.excused[gang]; missing > 0 {
			fmt.Fprintf(p.opts.Out, "%-8s %-20s nothing came of what the simulator says\n", p.now, gang)
			p.excused[gang] += missing
		}
	}
	p.behind = max(p.behind, time.Since(p.begun.Add(p.speed.divide(p.now))))
	return nil
}

func (p *performance) caughtUp(ctx context.Context) (bool, error) {
	for gang, due := range p.due {
		if p.count[gang]+p.excused[gang] < due {
			return false, nil
		}
	}
	for gang := range p.resizing {
		if a := p.gangs[gang]; a != nil {
			if ok, err := p.inPlace(ctx, a); err != nil || !ok {
				return false, err
			}
		}
		delete(p.resizing, gang)
	}
	return true, nil
}

// until takes in what happens on the cluster until an instant or, if it is not nil, a condition.
func (p *performance) until(ctx context.Context, deadline time.Time, holds func(context.Context) (bool, error)) error {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	looking := time.NewTicker(tick)
	defer looking.Stop()
	for {
		if holds != nil {
			if ok, err := holds(ctx); ok || err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c, ok := <-p.changes:
			if !ok {
				return fmt.Errorf("the watch of GangJobs ended")
			}
			if err := p.see(ctx, c); err != nil {
				return err
			}
		case <-looking.C:
			if err := p.Cluster.Err(); err != nil {
				return err
			}
		case <-timer.C:
			return nil
		}
	}
}
