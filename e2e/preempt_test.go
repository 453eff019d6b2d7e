package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

func TestALowerTierMakesWayAndReturnsWithAllItsRanks(t *testing.T) {
	w := newWorld(t, "tier", 1, 2)
	ns := w.team("a", 16, 0)
	low := w.submit(w.gang(ns, "low", 2, 8, tier(v1alpha1.TierInteractive), behave(devcluster.AnnotationStopAfter, "2s")))
	w.phase(low, v1alpha1.PhaseRunning)
	// One rank is done before it is told to leave. It must be there again all the same.
	for _, p := range w.pods(low) {
		if p.Annotations[batchv1.JobCompletionIndexAnnotation] == "1" {
			w.must(admin.Patch(w.ctx(time.Minute), &p, annotate(devcluster.AnnotationFail, "0")), "ending rank 1")
		}
	}
	w.wait("rank 1 has succeeded", func(context.Context) bool {
		for _, j := range w.jobs(low) {
			if j.Status.Succeeded == 1 {
				return true
			}
		}
		return false
	}, func() string { return "no succeeded pod" })

	high := w.submit(w.gang(ns, "high", 2, 8, tier(v1alpha1.TierProduction), runFor("2s")))
	told := w.phase(low, v1alpha1.PhasePreempting)
	if p := told.Status.Preemption; p == nil || p.Rule != "Tier" || p.ByUID != string(w.get(high).UID) ||
		!p.Deadline.After(p.NoticeTime.Time) {
		t.Errorf("preemption %+v, want rule Tier, by gang high, with a deadline", p)
	}
	w.pending(high, v1alpha1.ReasonWaitingForVictims)
	w.wait("the pods are told their deadline", func(context.Context) bool {
		for _, p := range w.pods(low) {
			if p.Annotations[v1alpha1.AnnotationPreemptionDeadline] != "" {
				return true
			}
		}
		return false
	}, func() string { return "no annotation" })
	w.phase(high, v1alpha1.PhaseSucceeded)

	back := w.until(low, "runs again", func(g *v1alpha1.GangJob) bool {
		return g.Status.Phase == v1alpha1.PhaseRunning && g.Status.Attempts == 2
	})
	if s := back.Status; s.Preemptions != 1 || s.Restarts != 0 || s.Failed != 0 || s.ReadyPods != "2/2" {
		t.Errorf("status after the return: %+v", s)
	}
	for rank, node := range w.ranks(low, 2) {
		if !w.ours(node) {
			t.Errorf("rank %d is on node %q after the return", rank, node)
		}
	}
	for _, p := range w.pods(low) {
		if p.Labels[v1alpha1.LabelAttempt] == "1" && p.DeletionTimestamp == nil && p.Status.Phase == corev1.PodRunning {
			t.Errorf("pod %s of the first attempt still runs", p.Name)
		}
	}
}

func TestAnEqualTierWaits(t *testing.T) {
	w := newWorld(t, "equal", 1, 1)
	ns := w.team("a", 8, 0)
	first := w.submit(w.gang(ns, "first", 1, 8, runFor("5s")))
	w.phase(first, v1alpha1.PhaseRunning)
	second := w.submit(w.gang(ns, "second", 1, 8, runFor("1s")))
	w.pending(second, v1alpha1.ReasonNoCoherentSlot)
	w.phase(second, v1alpha1.PhaseSucceeded)
	if s := w.get(first).Status; s.Preemptions != 0 || s.Succeeded != 1 {
		t.Errorf("the first gang: %+v", s)
	}
}

func TestASlotIsFreeOnlyWhenThePodsOfADeletedGangAreGone(t *testing.T) {
	w := newWorld(t, "deleted", 1, 1)
	ns := w.team("a", 8, 0)
	first := w.submit(w.gang(ns, "first", 1, 8, behave(devcluster.AnnotationStopAfter, "4s")))
	w.phase(first, v1alpha1.PhaseRunning)
	second := w.submit(w.gang(ns, "second", 1, 8))
	w.pending(second, v1alpha1.ReasonNoCoherentSlot)
	stream := w.watchPods(ns)
	w.must(admin.Delete(w.ctx(time.Minute), first), "deleting the first gang")
	w.phase(second, v1alpha1.PhaseRunning)
	w.neverTogether(stream, "first", "second")
}

func TestAGangIsSuspendedAndLetGoByItsUser(t *testing.T) {
	w := newWorld(t, "suspend", 1, 1)
	ns := w.team("a", 8, 0)
	g := w.submit(w.gang(ns, "g", 1, 8))
	first := w.phase(g, v1alpha1.PhaseRunning)
	w.suspend(g, true)
	held := w.pending(g, v1alpha1.ReasonHeld)
	if len(held.Status.Conditions) == 0 || held.Status.Berth != nil || held.Status.Preemptions != 0 {
		t.Errorf("status while held: %+v", held.Status)
	}
	w.suspend(g, false)
	again := w.phase(g, v1alpha1.PhaseRunning)
	if again.Status.Attempts != 2 || again.Status.QueuedTime.Before(first.Status.QueuedTime) {
		t.Errorf("status after the return: %+v", again.Status)
	}
}

func TestAFailedPodRestartsTheWholeGang(t *testing.T) {
	w := newWorld(t, "restart", 1, 2)
	ns := w.team("a", 16, 0)
	g := w.submit(w.gang(ns, "g", 2, 8, func(g *v1alpha1.GangJob) { g.Spec.Restart.MaxRestarts = ptr.To[int32](1) }))
	w.phase(g, v1alpha1.PhaseRunning)
	w.failRank(g, 1)
	w.until(g, "runs again", func(g *v1alpha1.GangJob) bool {
		return g.Status.Phase == v1alpha1.PhaseRunning && g.Status.Attempts == 2 && g.Status.Restarts == 1
	})
	w.failRank(g, 0)
	failed := w.phase(g, v1alpha1.PhaseFailed)
	if s := failed.Status; s.Failed != 1 || s.Reason != v1alpha1.ReasonRoleFailed || s.Restarts != 1 ||
		!strings.Contains(s.Message, "exited with 1") {
		t.Errorf("status at the end: %+v", s)
	}
}

func TestPodsAreBoundAllOrNoneWhereTheSchedulerCan(t *testing.T) {
	if !cluster.HasPodGroups() {
		t.Skip("this series serves no PodGroups")
	}
	w := newWorld(t, "podgroup", 1, 2)
	ns := w.team("a", 16, 0)
	g := w.submit(w.gang(ns, "g", 2, 8))
	w.phase(g, v1alpha1.PhaseRunning)
	groups := w.podGroups(ns)
	if len(groups) != 1 || groups[0].Spec.SchedulingPolicy.Gang.MinCount != 2 {
		t.Fatalf("PodGroups %+v, want one of 2 pods", groups)
	}
	for _, p := range w.pods(g) {
		if p.Spec.SchedulingGroup == nil || *p.Spec.SchedulingGroup.PodGroupName != groups[0].Name {
			t.Errorf("pod %s is in %+v, want PodGroup %s", p.Name, p.Spec.SchedulingGroup, groups[0].Name)
		}
	}
	w.suspend(g, true)
	w.pending(g, v1alpha1.ReasonHeld)
	w.wait("the old attempt's PodGroup is replaced", func(context.Context) bool {
		now := w.podGroups(ns)
		return len(now) == 1 && now[0].Name != groups[0].Name
	}, func() string { return fmt.Sprintf("%+v", w.podGroups(ns)) })
}

func (w *world) podGroups(namespace string) []schedulingv1beta1.PodGroup {
	w.t.Helper()
	var list schedulingv1beta1.PodGroupList
	w.must(admin.List(w.ctx(time.Minute), &list, client.InNamespace(namespace)), "listing PodGroups")
	return list.Items
}
