package e2e

import (
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

func TestALauncherOffThePoolDecidesTheGang(t *testing.T) {
	w := newWorld(t, "launcher", 1, 2)
	w.another("launcher-off", 1, 1) // somewhere to go
	ns := w.team("a", 16, 0)
	g := w.gang(ns, "g", 2, 8, func(g *v1alpha1.GangJob) {
		launcher := v1alpha1.Role{Name: "launcher", Replicas: 1, Placement: v1alpha1.PlacementFree, Template: podTemplate(0)}
		launcher.Template.Spec.Containers[0].Resources = corev1.ResourceRequirements{}
		launcher.Template.Annotations = map[string]string{devcluster.AnnotationRunFor: "3s"}
		g.Spec.Roles = append(g.Spec.Roles, launcher)
		g.Spec.SuccessPolicy = &v1alpha1.SuccessPolicy{Roles: []string{"worker"}}
	})
	g.Spec.Roles[0].Template.Annotations = map[string]string{devcluster.AnnotationRunFor: "5s"}
	w.submit(g)
	w.phase(g, v1alpha1.PhaseRunning)
	for _, p := range w.pods(g) {
		if onPool := w.ours(p.Spec.NodeName) && !strings.HasPrefix(p.Spec.NodeName, "launcher-off"); onPool == (p.Labels[v1alpha1.LabelRole] == "launcher") {
			t.Errorf("pod %s of role %s is on node %s", p.Name, p.Labels[v1alpha1.LabelRole], p.Spec.NodeName)
		}
	}
	w.phase(g, v1alpha1.PhaseSucceeded)
}

func TestWhenTheDecisiveRoleIsDoneTheOthersAreStoppedNotFailed(t *testing.T) {
	w := newWorld(t, "decisive", 1, 2)
	ns := w.team("a", 16, 0)
	g := w.gang(ns, "g", 1, 8, func(g *v1alpha1.GangJob) {
		server := g.Spec.Roles[0].DeepCopy()
		server.Name = "server" // never ends by itself
		g.Spec.Roles = append(g.Spec.Roles, *server)
		g.Spec.Roles[0].Template.Annotations = map[string]string{devcluster.AnnotationRunFor: "2s"}
		g.Spec.SuccessPolicy = &v1alpha1.SuccessPolicy{Roles: []string{"worker"}}
	})
	w.submit(g)
	done := w.phase(g, v1alpha1.PhaseSucceeded)
	if done.Status.Failed != 0 {
		t.Errorf("status %+v", done.Status)
	}
	next := w.submit(w.gang(ns, "next", 2, 8))
	w.phase(next, v1alpha1.PhaseRunning) // the server's node is free again
	if got := w.get(g).Status.Phase; got != v1alpha1.PhaseSucceeded {
		t.Errorf("the gang became %s when its server was stopped", got)
	}
}

func TestWhatAPodFailurePolicyCallsFinalIsFinal(t *testing.T) {
	w := newWorld(t, "final", 1, 1)
	ns := w.team("a", 8, 0)
	g := w.gang(ns, "g", 1, 8, runFor("1s"), behave(devcluster.AnnotationExitCode, "42"), func(g *v1alpha1.GangJob) {
		g.Spec.Roles[0].PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
			Action:      batchv1.PodFailurePolicyActionFailJob,
			OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{Operator: batchv1.PodFailurePolicyOnExitCodesOpIn, Values: []int32{42}},
		}}}
	})
	w.submit(g)
	failed := w.phase(g, v1alpha1.PhaseFailed)
	if s := failed.Status; s.Reason != v1alpha1.ReasonPodFailurePolicy || s.Restarts != 0 || s.Attempts != 1 {
		t.Errorf("status %+v, want a failure for good in the first attempt", s)
	}
}

func TestAPodThatItsNodeRejectsIsNoRestart(t *testing.T) {
	w := newWorld(t, "rejected", 1, 1)
	ns := w.team("a", 8, 0)
	g := w.submit(w.gang(ns, "g", 1, 8, behave(devcluster.AnnotationReject, "UnexpectedAdmissionError"), func(g *v1alpha1.GangJob) {
		g.Spec.Restart.MaxRestarts = ptr.To[int32](0)
	}))
	again := w.until(g, "tries a second time", func(g *v1alpha1.GangJob) bool { return g.Status.Attempts >= 2 })
	if s := again.Status; s.Restarts != 0 || s.Preemptions != 0 || s.Failed != 0 {
		t.Errorf("status %+v, want neither a restart nor a preemption", s)
	}
}

func TestAGangThatDoesNotGetReadyIsPutBackAndBacksOff(t *testing.T) {
	w := newWorld(t, "unready", 1, 1)
	ns := w.team("a", 8, 0)
	g := w.submit(w.gang(ns, "g", 1, 8, behave(devcluster.AnnotationStartAfter, "never")))
	w.phase(g, v1alpha1.PhaseAdmitted)
	waiting := w.submit(w.gang(ns, "waiting", 1, 8))
	back := w.pending(g, v1alpha1.ReasonBackingOff)
	if s := back.Status; s.Restarts != 0 || s.Preemptions != 0 || s.Berth != nil {
		t.Errorf("status %+v", s)
	}
	w.phase(waiting, v1alpha1.PhaseRunning)
}
