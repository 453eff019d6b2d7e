package admission

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
)

const (
	// refusedWait is how long it waits after a refused write for the watch to bring what is newer; where writes are refused
	// again and again, it waits longer each time, up to mostRefusedWait.
	refusedWait     = 100 * time.Millisecond
	mostRefusedWait = 10 * time.Second
	// parallelWrites is how many gangs are written at once.
	parallelWrites = 8
)

// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs;teams;quotas;topologydomains,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=nodes;namespaces;pods,verbs=get;list;watch
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Loop decides and writes.
type Loop struct {
	Client   client.Client
	State    *state.Cache
	Recorder events.Recorder
	Clock    clock.Clock
	// Gather is for how long no event must come before the loop decides on all that came, mostGathers times as long at most.
	Gather time.Duration
	// Synced waits until the cache has been told all that was there at the start.
	Synced func(context.Context) bool
	// Decided is called after every decision, once all of it is written.
	Decided func()

	// wait is for how long the last pass had to wait for the sake of refused writes; zero: none was refused.
	wait time.Duration
}

// NeedLeaderElection keeps the loop to the leader.
func (l *Loop) NeedLeaderElection() bool { return true }

// Start runs the loop until the context ends.
func (l *Loop) Start(ctx context.Context) error {
	if !l.Synced(ctx) {
		return nil // ended before it began
	}
	changes := l.State.Changes()
	wait := time.Duration(0)
	for {
		timer := l.Clock.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-changes:
		case <-timer.C():
		}
		timer.Stop()
		if !l.gather(ctx, changes) {
			return nil
		}
		wait = l.pass(ctx)
	}
}

// mostGathers is after how many times of gathering the loop decides though events still come.
const mostGathers = 10

// gather lets events gather; false if the context ended.
func (l *Loop) gather(ctx context.Context, changes <-chan struct{}) bool {
	end := l.Clock.Now().Add(mostGathers * l.Gather)
	for more := true; more; {
		timer := l.Clock.NewTimer(l.Gather)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-changes:
			more = l.Clock.Now().Before(end)
		case <-timer.C():
			more = false
		}
		timer.Stop()
	}
	return true
}

const (
	// idle is how long the loop sleeps when nothing is due, shortest how long where something is due again at once.
	idle     = time.Hour
	shortest = 10 * time.Millisecond
)

// pass decides once and writes what was decided. It returns after how long to decide again although nothing changes.
func (l *Loop) pass(ctx context.Context) time.Duration {
	decisions, next := l.State.Decide()
	refused := l.write(ctx, decisions)
	l.Decided()
	if !refused {
		l.wait = 0
	}
	switch {
	case refused:
		l.wait = min(max(2*l.wait, refusedWait), mostRefusedWait)
		return l.wait
	case next.IsZero():
		return idle
	default:
		return min(max(next.Sub(l.Clock.Now()), shortest), idle)
	}
}

// write writes the decisions gang by gang, plans first: an eviction whose plan was refused is dropped with it. It tells
// whether any was refused.
func (l *Loop) write(ctx context.Context, decisions []engine.Decision) (refused bool) {
	log := logr.FromContextOrDiscard(ctx)
	orders := inOrder(decisions)
	dropped := map[string]bool{}
	var rest []*order
	for _, o := range orders {
		if !o.plans() {
			rest = append(rest, o)
			continue
		}
		if err := l.carryOut(ctx, o); err != nil {
			dropped[o.gang] = true
			l.told(log, o, err)
		}
	}
	var group errgroup.Group
	group.SetLimit(parallelWrites)
	failures := make([]error, len(rest))
	for i, o := range rest {
		if o.serves(dropped) {
			l.State.Refused(o.gang)
			continue
		}
		group.Go(func() error {
			failures[i] = l.carryOut(ctx, o)
			return nil
		})
	}
	_ = group.Wait() // failures are kept one by one
	for i, err := range failures {
		if err != nil {
			refused = true
			l.told(log, rest[i], err)
		}
	}
	return refused || len(dropped) > 0
}

// carryOut writes what was decided about one gang.
func (l *Loop) carryOut(ctx context.Context, o *order) error {
	before := l.State.Gang(o.gang)
	if before == nil {
		return errGone
	}
	w := writer{state: l.State, now: l.Clock.Now()}
	_, err := patch.Status(ctx, l.Client, l.State, before, func(g *v1alpha1.GangJob) {
		for _, d := range o.decisions {
			w.apply(g, d)
		}
	})
	if err != nil {
		return err
	}
	if len(w.events) == 0 && w.idle {
		l.State.Refused(o.gang) // nothing came of it: the engine must not assume that it did
	}
	for _, e := range w.events {
		events.Record(l.Recorder, before, e)
	}
	return nil
}

// told makes the engine forget a decision that was not written.
func (l *Loop) told(log logr.Logger, o *order, err error) {
	l.State.Refused(o.gang)
	if !patch.Outdated(err) && err != errGone { //nolint:errorlint // never wrapped
		log.Error(err, "Writing a decision", "gang", o.gang)
	}
}
