package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func TestAGangIsToldThatItsTimeIsOverBeforeItIs(t *testing.T) {
	w := newWorld(t, "limit", 1, 1)
	ns := w.team("a", 8, 0)
	const most, grace = 20 * time.Second, 8 * time.Second
	g := w.submit(w.gang(ns, "g", 1, 8, func(g *v1alpha1.GangJob) {
		g.Spec.MaxRuntime = &metav1.Duration{Duration: most}
		g.Spec.Roles[0].Template.Spec.TerminationGracePeriodSeconds = ptr.To(int64(grace / time.Second))
	}))
	told := w.phase(g, v1alpha1.PhasePreempting).Status
	over := told.History.StartTime.Add(most)
	if p := told.Preemption; told.Reason != v1alpha1.ReasonMaxRuntimeExceeded || !p.Deadline.Time.Equal(over) || !p.NoticeTime.Before(&p.Deadline) {
		t.Errorf("reason %s, preemption %+v; want to be told before %s, when its time is over", told.Reason, p, over)
	}
	end := w.phase(g, v1alpha1.PhaseFailed).Status
	if end.Reason != v1alpha1.ReasonMaxRuntimeExceeded || end.Failed != 1 || end.Restarts != 0 || end.Preemptions != 0 {
		t.Errorf("status at the end: %+v", end)
	}
}

func TestANameThatIsTakenIsSaidAndWaitedFor(t *testing.T) {
	w := newWorld(t, "taken", 1, 1)
	ns := w.team("a", 8, 0)
	theirs := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "g"},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
	}
	w.create(theirs)
	g := w.submit(w.gang(ns, "g", 1, 8))
	w.event(g, "NameTaken")
	w.must(admin.Delete(w.ctx(time.Minute), theirs), "deleting the Service that is in the way")
	w.phase(g, v1alpha1.PhaseRunning)
}

// event waits for an event about a gang.
func (w *world) event(g *v1alpha1.GangJob, reason string) {
	w.t.Helper()
	var list eventsv1.EventList
	w.wait("event "+reason, func(ctx context.Context) bool {
		w.must(admin.List(ctx, &list, client.InNamespace(g.Namespace)), "listing events")
		return slices.ContainsFunc(list.Items, func(e eventsv1.Event) bool { return e.Regarding.UID == g.UID && e.Reason == reason })
	}, func() string { return fmt.Sprintf("%d events, none of them", len(list.Items)) })
}
