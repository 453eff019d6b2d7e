package ledger

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

var (
	start = time.Unix(1_000_000, 0)
	slot  = engine.Slot{Pool: "p", Level: "rack", Domain: []string{"s1", "r2"}, Roles: []engine.RoleSlot{{Role: "w", Nodes: []string{"n1", "n2"}}}}
)

func fresh() *v1alpha1.GangJob {
	g := &v1alpha1.GangJob{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "g", Generation: 3}}
	Queue(g, start, resource.MustParse("16"), 2)
	return g
}

// running is a gang that has been ready since start.
func running() *v1alpha1.GangJob {
	g := fresh()
	Reserve(g, "t", slot, start)
	Pods(g, 2, 2, start)
	return g
}

func TestAGangsWayInIsTold(t *testing.T) {
	g := fresh()
	steps := []struct {
		name                      string
		do                        func()
		phase                     v1alpha1.Phase
		reason                    string
		reserved, admitted, ready bool
		berth                     v1alpha1.BerthState
		attempts                  int32
	}{
		{"waiting", func() { Wait(g, "t", v1alpha1.ReasonNoCoherentSlot, "no room", nil) }, v1alpha1.PhasePending, v1alpha1.ReasonNoCoherentSlot, false, false, false, "", 0},
		{"a promise", func() { Promise(g, "t", slot, start.Add(time.Hour).UnixNano(), "u", start) }, v1alpha1.PhasePending, v1alpha1.ReasonSlotReserved, false, false, false, v1alpha1.BerthFuture, 0},
		{"a plan", func() { Plan(g, "t", slot, []v1alpha1.BerthVictim{{UID: "v", Attempt: 1}}, start) }, v1alpha1.PhasePending, v1alpha1.ReasonWaitingForVictims, true, false, false, v1alpha1.BerthPlanned, 0},
		{"the plan given up", func() { Withdraw(g, "gone") }, v1alpha1.PhasePending, v1alpha1.ReasonNoCoherentSlot, false, false, false, "", 0},
		{"a reservation", func() { Reserve(g, "t", slot, start) }, v1alpha1.PhaseAdmitted, v1alpha1.ReasonAdmitted, true, true, false, v1alpha1.BerthReserved, 1},
		{"withdrawn", func() { Withdraw(g, "clash") }, v1alpha1.PhasePending, v1alpha1.ReasonNoCoherentSlot, false, false, false, "", 0},
		{"reserved again", func() { Reserve(g, "t", slot, start) }, v1alpha1.PhaseAdmitted, v1alpha1.ReasonAdmitted, true, true, false, v1alpha1.BerthReserved, 1},
		{"a pod ready", func() { Pods(g, 1, 2, start) }, v1alpha1.PhaseAdmitted, v1alpha1.ReasonAdmitted, true, true, false, v1alpha1.BerthReserved, 1},
		{"all ready", func() { Pods(g, 2, 2, start) }, v1alpha1.PhaseRunning, v1alpha1.ReasonRunning, true, true, true, v1alpha1.BerthOccupied, 1},
		{"one no longer", func() { Pods(g, 1, 2, start) }, v1alpha1.PhaseRunning, v1alpha1.ReasonRunning, true, true, false, v1alpha1.BerthOccupied, 1},
		{"told to leave", func() { Notice(g, "u", "Tier", "told", start, start.Add(time.Minute)) }, v1alpha1.PhasePreempting, v1alpha1.ReasonEvicted, true, true, false, v1alpha1.BerthOccupied, 1},
		{"spared", func() { Spare(g) }, v1alpha1.PhaseRunning, v1alpha1.ReasonRunning, true, true, false, v1alpha1.BerthOccupied, 1},
		{"told again", func() { Notice(g, "u", "Tier", "told", start, start.Add(time.Minute)) }, v1alpha1.PhasePreempting, v1alpha1.ReasonEvicted, true, true, false, v1alpha1.BerthOccupied, 1},
		{"gone", func() { PutBack(g, 2, start.Add(time.Minute)) }, v1alpha1.PhasePending, "", false, false, false, "", 1},
		{"a second attempt", func() { Reserve(g, "t", slot, start) }, v1alpha1.PhaseAdmitted, v1alpha1.ReasonAdmitted, true, true, false, v1alpha1.BerthReserved, 2},
		{"the end", func() { Pods(g, 2, 2, start); Succeed(g, start.Add(time.Hour)) }, v1alpha1.PhaseSucceeded, v1alpha1.ReasonSucceeded, false, true, true, "", 2},
	}
	for _, step := range steps {
		step.do()
		s := g.Status
		holds := func(kind string) bool { return meta.IsStatusConditionTrue(s.Conditions, kind) }
		var berth v1alpha1.BerthState
		if s.Berth != nil {
			berth = s.Berth.State
		}
		if s.Phase != step.phase || s.Reason != step.reason || berth != step.berth || s.Attempts != step.attempts ||
			holds(v1alpha1.ConditionReserved) != step.reserved || holds(v1alpha1.ConditionAdmitted) != step.admitted ||
			holds(v1alpha1.ConditionPodsReady) != step.ready {
			t.Errorf("%s: phase %s, reason %s, berth %q, attempts %d, conditions %+v", step.name, s.Phase, s.Reason, berth, s.Attempts, s.Conditions)
		}
	}
}

func TestWhatALeaveCountsDependsOnItsCause(t *testing.T) {
	for rule, want := range map[string]struct {
		preemptions, restarts int32
		evictions             int
		used                  time.Duration
		moved, requeued       bool
	}{
		"Tier":               {1, 0, 1, 0, false, false},
		"Reclaim":            {1, 0, 1, 0, false, false},
		"Fairness":           {1, 0, 1, 0, false, false},
		"Promise":            {1, 0, 1, 0, false, false},
		"Move":               {1, 0, 0, 0, true, false},
		"Fault":              {0, 0, 0, 0, false, false},
		"Drain":              {0, 0, 0, 0, false, false},
		v1alpha1.RuleSuspend: {0, 0, 0, time.Hour, false, true},
		v1alpha1.RuleRestart: {0, 1, 0, time.Hour, false, false},
	} {
		t.Run(rule, func(t *testing.T) {
			g := running()
			Notice(g, "", rule, "told", start.Add(50*time.Minute), start.Add(time.Hour))
			PutBack(g, 2, start.Add(time.Hour))
			s, h := g.Status, g.Status.History
			if s.Preemptions != want.preemptions || s.Restarts != want.restarts || len(h.Evictions) != want.evictions ||
				h.UsedRuntime.Duration != want.used || (h.MovedAt != nil) != want.moved || (s.QueuedTime == nil) != want.requeued {
				t.Errorf("preemptions %d, restarts %d, evictions %d, used %s, moved %v, queued %v", s.Preemptions, s.Restarts,
					len(h.Evictions), h.UsedRuntime.Duration, h.MovedAt, s.QueuedTime)
			}
			if h.StartTime != nil || s.Preemption != nil || s.Assignment != nil || s.ReadyPods != "0/2" || h.BackoffUntil != nil {
				t.Errorf("something of the attempt is left: %+v, %+v", s, h)
			}
		})
	}
}

func TestWorkThatWasSavedCountsTowardsMaxRuntime(t *testing.T) {
	at := func(d time.Duration) *metav1.Time { return Stamp(start.Add(d)) }
	for name, test := range map[string]struct {
		checkpoint *v1alpha1.CheckpointSpec
		ack        *metav1.Time
		want       time.Duration
	}{
		"nothing without a checkpoint":               {nil, nil, 0},
		"up to the notice where it saves on SIGTERM": {&v1alpha1.CheckpointSpec{}, nil, 50 * time.Minute},
		"up to the last acknowledgement":             {&v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1}, at(40 * time.Minute), 40 * time.Minute},
		"nothing where it never acknowledged":        {&v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1}, nil, 0},
		"nothing where it last did in another life":  {&v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1}, at(-time.Hour), 0},
	} {
		g := running()
		g.Spec.Checkpoint = test.checkpoint
		g.Status.Checkpoints = &v1alpha1.CheckpointStatus{LastAckTime: test.ack}
		Notice(g, "u", "Tier", "told", start.Add(50*time.Minute), start.Add(time.Hour))
		PutBack(g, 2, start.Add(time.Hour))
		if got := g.Status.History.UsedRuntime.Duration; got != test.want {
			t.Errorf("%s: %s counts, want %s", name, got, test.want)
		}
	}
}

func TestAGangThatNeverGotReadyBacksOffLongerEachTime(t *testing.T) {
	g := fresh()
	now := start
	for i, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
		want := time.Duration(minutes) * time.Minute
		Reserve(g, "t", slot, now)
		Notice(g, "", v1alpha1.RuleRestart, "failed", now, now)
		PutBack(g, 2, now)
		if got := g.Status.History.BackoffUntil.Sub(now); got != want {
			t.Errorf("time %d: backs off for %s, want %s", i+1, got, want)
		}
	}
	Reserve(g, "t", slot, now)
	Pods(g, 2, 2, now)
	if h := g.Status.History; h.PutBacks != 0 || h.BackoffUntil != nil {
		t.Errorf("after it was ready: %+v", h)
	}
}

func TestAGangThatWasReadyOnceKeepsItsRightsWhenItDoesNotGetReadyAgain(t *testing.T) {
	g := running()
	leave := func(rule string, at time.Time) {
		Notice(g, "u", rule, "told", at, at)
		PutBack(g, 2, at)
	}
	leave("Tier", start.Add(time.Hour))
	Reserve(g, "t", slot, start.Add(2*time.Hour))
	leave(RuleNotReady, start.Add(3*time.Hour))
	if h := g.Status.History; h.PutBacks != 0 || h.BackoffUntil.After(start.Add(3*time.Hour+time.Minute)) {
		t.Errorf("%+v, want no back-off for a fault of its own", h)
	}
}

func TestWhatWasRefusedIsRemembered(t *testing.T) {
	g := fresh()
	Promise(g, "t", slot, start.Add(time.Hour).UnixNano(), "u", start)
	Lapse(g, start.Add(time.Hour))
	if s := g.Status; s.Berth != nil || !s.History.PromiseLapsedAt.Equal(Stamp(start.Add(time.Hour))) {
		t.Errorf("after a promise lapsed: berth %+v, history %+v", s.Berth, s.History)
	}
	g = running()
	Notice(g, "u", "Move", "told", start, start.Add(time.Minute))
	GoOn(g, slot)
	CallOff(g, start.Add(time.Minute))
	if s := g.Status; s.Phase != v1alpha1.PhaseRunning || s.Preemption != nil || !s.History.MoveRefusedAt.Equal(Stamp(start.Add(time.Minute))) {
		t.Errorf("after a move was called off: phase %s, preemption %+v, history %+v", s.Phase, s.Preemption, s.History)
	}
}

func TestTheTimeAtTheHeadAddsUp(t *testing.T) {
	g := fresh()
	Head(g, "p", Stamp(start), start)
	Head(g, "p", nil, start.Add(time.Minute))
	Head(g, "p", Stamp(start.Add(2*time.Minute)), start.Add(2*time.Minute))
	h := g.Status.History.Headed
	if len(h) != 1 || h[0].Before.Duration != time.Minute || !h[0].Since.Equal(Stamp(start.Add(2*time.Minute))) {
		t.Errorf("headed %+v, want a minute before and since 2 minutes", h)
	}
	Plan(g, "t", slot, nil, start.Add(3*time.Minute))
	if h := g.Status.History.Headed; h[0].Since != nil || h[0].Before.Duration != 2*time.Minute {
		t.Errorf("headed after the plan %+v, want 2 minutes and no more", h)
	}
	Reserve(g, "t", slot, start.Add(4*time.Minute))
	if h := g.Status.History.Headed; len(h) != 0 {
		t.Errorf("headed after the admission %+v, want it forgotten", h)
	}
}

// Whatever happens in whatever order, phase, conditions and berth agree, and what is final stays.
func TestThePhaseAlwaysAgreesWithTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := fresh()
		now := start
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "seconds")) * time.Second)
			step(t, g, now)
			check(t, g)
			if g.Status.Phase.Finished() {
				return
			}
		}
	})
}

// step takes one of the transitions that are possible.
func step(t *rapid.T, g *v1alpha1.GangJob, now time.Time) {
	s := &g.Status
	held := s.Berth != nil && (s.Berth.State == v1alpha1.BerthReserved || s.Berth.State == v1alpha1.BerthOccupied)
	rules := []string{"Tier", "Move", "Fault", "Drain", v1alpha1.RuleRestart, v1alpha1.RuleSuspend, RuleNotReady}
	switch {
	case Leaving(g):
		rapid.SampledFrom([]func(){func() { PutBack(g, 2, now) }, func() { Spare(g) }, func() { Succeed(g, now) }}).Draw(t, "leaving")()
	case held:
		rapid.SampledFrom([]func(){
			func() { Pods(g, rapid.Int32Range(0, 2).Draw(t, "ready"), 2, now) },
			func() { Notice(g, "u", rapid.SampledFrom(rules).Draw(t, "rule"), "told", now, now.Add(time.Minute)) },
			func() { Succeed(g, now) },
			func() { Fail(g, v1alpha1.ReasonRoleFailed, "failed", now) },
			func() { Replace(g, "t", slot, now) },
		}).Draw(t, "held")()
	default:
		rapid.SampledFrom([]func(){
			func() { Wait(g, "t", v1alpha1.ReasonNoCoherentSlot, "no room", nil) },
			func() { Promise(g, "t", slot, now.Add(time.Hour).UnixNano(), "u", now) },
			func() { Plan(g, "t", slot, nil, now) },
			func() { Reserve(g, "t", slot, now) },
			func() { Withdraw(g, "gone") },
		}).Draw(t, "waiting")()
	}
}

func check(t *rapid.T, g *v1alpha1.GangJob) {
	s := &g.Status
	holds := func(kind string) bool { return meta.IsStatusConditionTrue(s.Conditions, kind) }
	held := s.Berth != nil && (s.Berth.State == v1alpha1.BerthReserved || s.Berth.State == v1alpha1.BerthOccupied)
	for what, ok := range map[string]bool{
		"a final phase has its integer":    s.Phase.Finished() == (s.Succeeded+s.Failed == 1) && (s.Phase == v1alpha1.PhaseFailed) == (s.Failed == 1),
		"a final phase is Finished":        s.Phase.Finished() == holds(v1alpha1.ConditionFinished),
		"an ended gang holds nothing":      !s.Phase.Finished() || s.Berth == nil && s.Preemption == nil,
		"Preempting is told why":           (s.Phase == v1alpha1.PhasePreempting) == (s.Preemption != nil),
		"who may start has a berth":        s.Phase.Finished() || holds(v1alpha1.ConditionAdmitted) == held,
		"a berth has an assignment":        s.Berth == nil || s.Assignment != nil,
		"a pending gang has no pods":       s.Phase != v1alpha1.PhasePending || !holds(v1alpha1.ConditionPodsReady),
		"the berth is of the last attempt": s.Berth == nil || !held || s.Berth.Attempt == s.Attempts,
		"conditions are of the generation": s.ObservedGeneration == g.Generation,
	} {
		if !ok {
			t.Fatalf("%s: does not hold for %+v", what, s)
		}
	}
}
