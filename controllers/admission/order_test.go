package admission

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/state"
)

func TestDecisionsAboutAGangMakeOneOrder(t *testing.T) {
	orders := inOrder([]engine.Decision{
		{Kind: engine.Head, Gang: "a"},
		{Kind: engine.Plan, Gang: "b"},
		{Kind: engine.Evict, Gang: "c", For: "b"},
		{Kind: engine.Promise, Gang: "a"},
		{Kind: engine.Admit, Gang: "d"},
	})
	var got [][]string
	for _, o := range orders {
		line := []string{o.gang}
		for _, d := range o.decisions {
			line = append(line, d.Kind.String())
		}
		got = append(got, line)
	}
	want := [][]string{{"a", "Head", "Promise"}, {"b", "Plan"}, {"c", "Evict"}, {"d", "Admit"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("orders (-want +got):\n%s", diff)
	}
	dropped := map[string]bool{"b": true}
	for i, serves := range []bool{false, false, true, false} {
		if got := orders[i].serves(dropped); got != serves {
			t.Errorf("gang %s serves a plan that was dropped: %t, want %t", orders[i].gang, got, serves)
		}
	}
	if !orders[1].plans() || orders[0].plans() {
		t.Error("a plan is not told from the rest")
	}
}

var (
	start = time.Unix(1_000_000, 0)
	slot  = engine.Slot{Pool: "p", Roles: []engine.RoleSlot{{Role: "w", Nodes: []string{"n1"}}}}
)

func waiting(name string) *v1alpha1.GangJob {
	g := &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: "u"},
		Spec:       v1alpha1.GangJobSpec{Roles: []v1alpha1.Role{{Name: "w", Replicas: 1}}},
	}
	ledger.Queue(g, start, resource.MustParse("8"), 1)
	return g
}

func planned() *v1alpha1.GangJob {
	g := waiting("g")
	ledger.Plan(g, "t", slot, nil, start)
	return g
}

func running() *v1alpha1.GangJob {
	g := waiting("g")
	ledger.Reserve(g, "t", slot, start)
	ledger.Pods(g, 1, 1, start)
	return g
}

func starting() *v1alpha1.GangJob {
	g := waiting("g")
	ledger.Reserve(g, "t", slot, start)
	ledger.Occupy(g)
	return g
}

func leaving() *v1alpha1.GangJob {
	g := running()
	ledger.Notice(g, "", "Tier", "told", start, start)
	return g
}

func ended() *v1alpha1.GangJob {
	g := running()
	ledger.Succeed(g, start)
	return g
}

// Between a decision and its write the gang may have changed.
func TestADecisionThatDoesNotSuitTheGangAnyMoreIsDropped(t *testing.T) {
	gangs := map[string]func() *v1alpha1.GangJob{
		"waiting": func() *v1alpha1.GangJob { return waiting("g") }, "planned": planned, "running": running, "leaving": leaving,
		"starting": starting, "ended": ended,
	}
	suits := map[engine.Kind][]string{
		engine.Admit:   {"waiting", "planned"},
		engine.Plan:    {"waiting", "planned"},
		engine.Promise: {"waiting", "planned"},
		engine.Evict:   {"starting", "running"},
		engine.Move:    {"starting", "running"},
		engine.Expire:  {"running"},
		engine.Release: {"planned", "starting", "running"},
		engine.Spare:   {"leaving"},
		engine.Head:    {"waiting", "planned", "starting", "running", "leaving"},
	}
	for kind, names := range suits {
		for name, build := range gangs {
			want := false
			for _, n := range names {
				want = want || n == name
			}
			if got := possible(build(), kind); got != want {
				t.Errorf("%s of a gang that is %s: possible %t, want %t", kind, name, got, want)
			}
		}
	}
	deleted := waiting("g")
	deleted.DeletionTimestamp = &metav1.Time{Time: start}
	if possible(deleted, engine.Admit) {
		t.Error("a gang that is being deleted is admitted")
	}
}

func TestANoticeSaysWhyAndForWhom(t *testing.T) {
	cache := state.New(engine.DefaultConfig(), testclock.NewFakePassiveClock(start))
	for _, namespace := range []string{"ns", "elsewhere"} {
		g := waiting("other")
		g.Namespace, g.UID = namespace, types.UID(namespace)
		g.Status.Team = "team-of-" + namespace
		cache.SetGang(g)
	}
	for name, test := range map[string]struct {
		decision engine.Decision
		change   func(*v1alpha1.GangJob)
		rule     string
		reason   string
		message  string
	}{
		"for a gang of its own namespace": {engine.Decision{Kind: engine.Evict, For: "ns/other", Rule: engine.ByTier}, nil, "Tier", "Evicted", "told to leave: GangJob other needs the room"},
		"for a gang of another":           {engine.Decision{Kind: engine.Evict, For: "elsewhere/other", Rule: engine.ByReclaim}, nil, "Reclaim", "Evicted", "told to leave: a gang of team team-of-elsewhere with 8 accelerators needs the room"},
		"for a cordon":                    {engine.Decision{Kind: engine.Move, Rule: engine.ByFault, Slot: slot}, nil, "Fault", "NodeFault", "told to leave: a node under it is taken out of use"},
		"for a drained team":              {engine.Decision{Kind: engine.Evict, Rule: engine.ByDrain}, nil, "Drain", "Drained", "told to leave: team t is drained"},
		"for its own user":                {engine.Decision{Kind: engine.Evict, Rule: engine.ByDrain}, func(g *v1alpha1.GangJob) { g.Spec.Suspend = true }, "Suspend", "Suspended", "told to leave: its user suspended it"},
		"for its own time":                {engine.Decision{Kind: engine.Expire}, nil, "MaxRuntime", "MaxRuntimeExceeded", "told to leave: its maxRuntime is over"},
	} {
		t.Run(name, func(t *testing.T) {
			g := running()
			if test.change != nil {
				test.change(g)
			}
			w := writer{state: cache, now: start}
			w.apply(g, test.decision)
			p := g.Status.Preemption
			if p == nil || p.Rule != test.rule || g.Status.Reason != test.reason || g.Status.Message != test.message {
				t.Errorf("preemption %+v, reason %s, message %q", p, g.Status.Reason, g.Status.Message)
			}
			if want := start.Add(30 * time.Second); p != nil && !p.Deadline.Time.Equal(want) {
				t.Errorf("deadline %v, want the pods' 30 s of grace later", p.Deadline)
			}
			if len(w.events) != 1 || w.events[0].Reason != "Preempting" {
				t.Errorf("events %+v", w.events)
			}
		})
	}
}
