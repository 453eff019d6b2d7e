package e2e

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/translate"
)

// crash ends the manager at once and starts another.
func (w *world) crash() {
	w.t.Helper()
	w.must(manager.Kill(), "killing the manager")
	w.must(startManager(w.ctx(2*time.Minute)), "starting another manager")
}

// A manager that ends at any moment of a gang's life leaves enough in the API for the next one to go on.
func TestACrashedManagerLosesNothingAndDoesNothingTwice(t *testing.T) {
	w := newWorldAlone(t, "crash", 2, 2)
	ns := w.team("a", 32, 0)
	low := w.submit(w.gang(ns, "low", 4, 8, tier(v1alpha1.TierInteractive), behave(devcluster.AnnotationStopAfter, "3s")))
	w.until(low, "has a reservation", func(g *v1alpha1.GangJob) bool { return g.Status.Berth != nil })
	w.crash()
	before := w.phase(low, v1alpha1.PhaseRunning)
	if before.Status.Attempts != 1 {
		t.Errorf("after a crash on the way in: attempts %d, want 1", before.Status.Attempts)
	}

	high := w.submit(w.gang(ns, "high", 2, 8, tier(v1alpha1.TierProduction), requireRack, runFor("30s")))
	w.phase(low, v1alpha1.PhasePreempting)
	w.crash()
	w.phase(high, v1alpha1.PhaseRunning)
	back := w.until(low, "waits again", func(g *v1alpha1.GangJob) bool { return g.Status.Phase == v1alpha1.PhasePending })
	if s := back.Status; s.Preemptions != 1 || s.Attempts != 1 {
		t.Errorf("after a crash on the way out: preemptions %d, attempts %d, want 1 and 1", s.Preemptions, s.Attempts)
	}
	w.must(admin.Delete(w.ctx(time.Minute), high), "deleting gang high")
	again := w.phase(low, v1alpha1.PhaseRunning)
	if s := again.Status; s.Attempts != 2 || len(w.jobs(low)) != 1 {
		t.Errorf("after the return: attempts %d, %d Jobs, want 2 and 1", s.Attempts, len(w.jobs(low)))
	}
}

// A backup that was restored may bring objects back without their status.
func TestALostStatusIsRebuiltFromThePods(t *testing.T) {
	w := newWorldAlone(t, "lost", 1, 3)
	ns := w.team("a", 24, 0)
	g := w.submit(w.gang(ns, "g", 2, 8))
	before := w.phase(g, v1alpha1.PhaseRunning)
	w.must(manager.Kill(), "killing the manager")
	cfg, err := cluster.ConfigFor(managerUser, "system:serviceaccounts", "system:authenticated")
	w.must(err, "becoming the manager")
	asManager, err := client.New(cfg, client.Options{Scheme: admin.Scheme()})
	w.must(err, "making the manager's client")
	lost := before.DeepCopy()
	lost.Status = v1alpha1.GangJobStatus{}
	w.must(asManager.Status().Patch(w.ctx(time.Minute), lost, client.MergeFrom(before)), "losing the status")
	w.must(startManager(w.ctx(2*time.Minute)), "starting another manager")
	rival := w.submit(w.gang(ns, "rival", 2, 8))
	after := w.phase(g, v1alpha1.PhaseRunning)
	was, err := translate.Slot(before.Status.Assignment)
	w.must(err, "reading the assignment")
	is, err := translate.Slot(after.Status.Assignment)
	w.must(err, "reading the assignment")
	if diff := cmp.Diff(was.Roles, is.Roles); diff != "" {
		t.Errorf("nodes (-before +after):\n%s", diff)
	}
	if after.Status.Attempts != 1 || after.Status.Berth.Attempt != 1 {
		t.Errorf("attempts %d, berth %+v, want attempt 1", after.Status.Attempts, after.Status.Berth)
	}
	w.pending(rival, v1alpha1.ReasonNoCoherentSlot)
	for _, p := range w.pods(g) {
		if p.Labels[v1alpha1.LabelAttempt] != "1" {
			t.Errorf("pod %s is of attempt %s", p.Name, p.Labels[v1alpha1.LabelAttempt])
		}
	}
}
