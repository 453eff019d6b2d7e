package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/translate"
)

func TestAGangStartsWholeInOneRackAndSucceeds(t *testing.T) {
	w := newWorld(t, "whole", 2, 6)
	ns := w.team("a", 96, 0)
	g := w.submit(w.gang(ns, "llama", 4, 8, requireRack, runFor("3s")))
	running := w.phase(g, v1alpha1.PhaseRunning)

	slot, err := translate.Slot(running.Status.Assignment)
	w.must(err, "reading the assignment")
	assigned := slot.Roles[0].Nodes
	if len(assigned) != 4 {
		t.Fatalf("assigned nodes %v, want 4", assigned)
	}
	for _, node := range assigned {
		if w.rackOf(node) != w.rackOf(assigned[0]) {
			t.Errorf("nodes %v are not in one rack", assigned)
		}
	}
	if diff := cmp.Diff(assigned, w.ranks(g, 4)); diff != "" {
		t.Errorf("rank k is not on the k-th node of the assignment (-assigned +found):\n%s", diff)
	}
	done := w.phase(g, v1alpha1.PhaseSucceeded)
	if s := done.Status; s.Succeeded != 1 || s.Failed != 0 || s.Attempts != 1 || s.ReadyPods != "4/4" {
		t.Errorf("status at the end: %+v", s)
	}
}

func TestTwoGangsThatDoNotFitTogetherNeverMix(t *testing.T) {
	w := newWorld(t, "mix", 1, 4)
	ns := w.team("a", 32, 0)
	first := w.submit(w.gang(ns, "first", 3, 8))
	w.phase(first, v1alpha1.PhaseRunning)
	stream := w.watchPods(ns)
	second := w.submit(w.gang(ns, "second", 3, 8, runFor("1s")))
	waiting := w.pending(second, v1alpha1.ReasonNoCoherentSlot)
	if m := waiting.Status.Message; !strings.Contains(m, "24") || !strings.Contains(m, "8") {
		t.Errorf("message %q does not say that 24 are asked for and 8 idle", m)
	}
	for i := range w.pods(first) { // the programs end
		p := &w.pods(first)[i]
		w.must(admin.Patch(w.ctx(time.Minute), p, annotate(devcluster.AnnotationFail, "0")), "ending pod %s", p.Name)
	}
	w.phase(first, v1alpha1.PhaseSucceeded)
	w.phase(second, v1alpha1.PhaseSucceeded)
	w.neverTogether(stream, "first", "second")
}

func TestAScatteredRackIsWaitedFor(t *testing.T) {
	w := newWorld(t, "scattered", 2, 2)
	ns := w.team("a", 32, 0)
	var fillers []*v1alpha1.GangJob
	for _, rack := range []string{"r0", "r1"} { // a node of each rack is taken
		fillers = append(fillers, w.submit(w.gang(ns, "filler-"+rack, 1, 8, inRack(rack))))
	}
	for _, f := range fillers {
		w.phase(f, v1alpha1.PhaseRunning)
	}
	g := w.submit(w.gang(ns, "wide", 2, 8, requireRack))
	waiting := w.pending(g, v1alpha1.ReasonNoCoherentSlot)
	for _, number := range []string{"16", "1 of 2"} { // asked for and idle; pods that fit
		if !strings.Contains(waiting.Status.Message, number) {
			t.Errorf("message %q does not hold %q", waiting.Status.Message, number)
		}
	}
	w.must(admin.Delete(w.ctx(time.Minute), fillers[1]), "deleting a filler")
	running := w.phase(g, v1alpha1.PhaseRunning)
	if got := running.Status.Assignment; got.Level != "rack" || got.Domain != "r1" {
		t.Errorf("placed in %s %s, want rack r1", got.Level, got.Domain)
	}
}

func TestAGangOf512PodsIsPinnedRankByRank(t *testing.T) {
	w := newWorld(t, "many", 8, 8)
	ns := w.team("a", 512, 0)
	g := w.submit(w.gang(ns, "wide", 512, 1))
	running := w.phase(g, v1alpha1.PhaseRunning)
	slot, err := translate.Slot(running.Status.Assignment)
	w.must(err, "reading the assignment")
	if diff := cmp.Diff(slot.Roles[0].Nodes, w.ranks(g, 512)); diff != "" {
		t.Errorf("ranks (-assigned +found):\n%s", diff)
	}
	if running.Status.ReadyPods != "512/512" {
		t.Errorf("readyPods %s", running.Status.ReadyPods)
	}
}

func TestAGangWithoutAPoolTakesTheOneWithRoom(t *testing.T) {
	small := newWorld(t, "two-small", 1, 1)
	large := small.another("two-large", 1, 3)
	ns := small.team("a", 8, 0)
	q := &v1alpha1.Quota{}
	small.must(admin.Get(small.ctx(time.Minute), client.ObjectKey{Name: ns}, q), "reading the quota")
	before := q.DeepCopy()
	q.Spec.Resources = append(q.Spec.Resources, large.entitlement(24, 0))
	small.must(admin.Patch(small.ctx(time.Minute), q, client.MergeFrom(before)), "adding a pool to the quota")
	anywhere := func(g *v1alpha1.GangJob) { g.Spec.Pool = "" }

	one := small.submit(small.gang(ns, "one", 1, 8, anywhere))
	if got := small.phase(one, v1alpha1.PhaseRunning).Status.Assignment.Pool; got != small.name {
		t.Errorf("the first pool of the quota has room, but pool %s was taken", got)
	}
	two := small.submit(small.gang(ns, "two", 2, 8, anywhere))
	if got := small.phase(two, v1alpha1.PhaseRunning).Status.Assignment.Pool; got != large.name {
		t.Errorf("the gang fits into pool %s alone, but is in %s", large.name, got)
	}
	bound := small.submit(small.gang(ns, "bound", 1, 8))
	small.pending(bound, v1alpha1.ReasonNoCoherentSlot) // its pool is full, and the other no help
}

func TestAQuotaIsRaisedAndLoweredUnderWaitingGangs(t *testing.T) {
	w := newWorld(t, "quota", 1, 4)
	ns := w.team("a", 8, 8)
	first := w.submit(w.gang(ns, "first", 1, 8))
	w.phase(first, v1alpha1.PhaseRunning)
	second := w.submit(w.gang(ns, "second", 1, 8))
	waiting := w.pending(second, v1alpha1.ReasonQuotaExceeded)
	if m := waiting.Status.Message; !strings.Contains(m, "at most 8") {
		t.Errorf("message %q does not name the limit", m)
	}
	w.limit(ns, 16)
	w.phase(second, v1alpha1.PhaseRunning)
	w.limit(ns, 8)
	third := w.submit(w.gang(ns, "third", 1, 8))
	w.pending(third, v1alpha1.ReasonQuotaExceeded)
	if got := w.get(second).Status.Phase; got != v1alpha1.PhaseRunning {
		t.Errorf("lowering the limit made a running gang %s", got)
	}
	tooLarge := w.submit(w.gang(ns, "too-large", 2, 8))
	w.pending(tooLarge, v1alpha1.ReasonInfeasible)
}
