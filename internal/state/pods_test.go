package state

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func key(name string) types.NamespacedName { return types.NamespacedName{Namespace: "ns", Name: name} }

func TestARoomIsCountedOnce(t *testing.T) {
	w := newWorld(t, 4)
	g := w.gangJob("g", 2)
	w.SetGang(g)
	w.SetJob(childJob(g, "w", 1, true))
	w.SetGang(w.held(g, v1alpha1.BerthReserved, 1, "n0", "n1"))
	if got := w.free(); got != 16 {
		t.Errorf("with a reservation for 16: %d idle of 32, want 16", got)
	}
	released := childJob(g, "w", 1, false)
	w.SetJob(released)
	w.SetPod(podOf(released, 0, "n0"))
	w.SetPod(podOf(released, 1, "n1"))
	if got := w.free(); got != 16 {
		t.Errorf("with the pods of the reservation there: %d idle, want 16", got)
	}
	w.SetPod(foreignPod("other", "n2"))
	if got := w.free(); got != 8 {
		t.Errorf("with a pod of somebody else: %d idle, want 8", got)
	}
}

func TestThePodsOfADeletedGangKeepTheirRoomUntilTheyEnd(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 2)
	j := childJob(g, "w", 1, false)
	w.SetJob(j)
	w.SetGang(w.held(g, v1alpha1.BerthOccupied, 1, "n0", "n1"))
	pods := []*corev1.Pod{podOf(j, 0, "n0"), podOf(j, 1, "n1")}
	for _, p := range pods {
		w.SetPod(p)
	}
	w.RemoveGang(key("g"))
	w.RemoveJob(j.UID)
	if got := w.free(); got != 0 {
		t.Errorf("with both pods there: %d idle, want 0", got)
	}
	ended := pods[0].DeepCopy()
	ended.Status.Phase = corev1.PodSucceeded
	w.SetPod(ended)
	if got := w.free(); got != 8 {
		t.Errorf("with one pod ended: %d idle, want 8", got)
	}
	w.RemovePod(key(pods[1].Name))
	if got := w.free(); got != 16 {
		t.Errorf("with both pods gone: %d idle, want 16", got)
	}
}

func TestAPodThatIsPinnedAndNotYetBoundKeepsItsNode(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 1)
	j := childJob(g, "w", 1, false)
	p := podOf(j, 0, "")
	p.Status.Phase = corev1.PodPending
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}},
		}}},
	}}
	w.SetPod(p) // of a gang that is gone
	if got := w.free(); got != 8 {
		t.Errorf("%d idle, want 8", got)
	}
}

func TestPodsThatClaimToBeAGangsAreForeign(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 1)
	w.SetGang(w.held(g, v1alpha1.BerthOccupied, 1, "n0"))
	stranger := g.DeepCopy()
	stranger.UID = "another"
	forged := childJob(stranger, "w", 1, false) // a Job that names the gang, and another's UID
	w.SetJob(forged)
	w.SetPod(podOf(forged, 0, "n1"))
	if got := w.free(); got != 0 {
		t.Errorf("%d idle, want 0: one node is the gang's, the other a stranger's", got)
	}
	old := childJob(g, "w", 7, false) // of another attempt
	w.SetJob(old)
	if !w.Gone(key("g"), 7) {
		t.Error("an attempt without pods is not gone")
	}
}

func TestAnAttemptIsGoneWhenItsPodsAre(t *testing.T) {
	w := newWorld(t, 1)
	g := w.gangJob("g", 1)
	j := childJob(g, "w", 1, false)
	w.SetGang(w.held(g, v1alpha1.BerthOccupied, 1, "n0"))
	w.SetJob(j)
	p := podOf(j, 0, "n0")
	w.SetPod(p)
	heard := 0
	w.OnGang(func(k types.NamespacedName) {
		if k == key("g") {
			heard++
		}
	})
	if w.Gone(key("g"), 1) {
		t.Error("gone with a live pod")
	}
	terminating := p.DeepCopy()
	terminating.DeletionTimestamp = new(metav1.Now())
	w.SetPod(terminating)
	if w.Gone(key("g"), 1) {
		t.Error("gone with a pod that still terminates")
	}
	w.RemovePod(key(p.Name))
	if !w.Gone(key("g"), 1) {
		t.Error("not gone without a pod")
	}
	if heard == 0 {
		t.Error("nobody was told that the pod went")
	}
}

func TestWhatDaemonSetPodsUseBelongsToTheNode(t *testing.T) {
	w := newWorld(t, 1)
	p := foreignPod("exporter", "n0")
	p.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", Controller: new(true), UID: "ds"}}
	p.Spec = podSpec("1")
	p.Spec.NodeName = "n0"
	w.SetPod(p)
	g := w.gangJob("g", 1) // of 8 GPUs, of which 7 are left even when the pool is empty
	w.SetGang(g)
	w.SetJob(childJob(g, "w", 1, true))
	w.Decide()
	if pending := w.Pending(); len(pending) != 1 || pending[0].Why.Reason != "Infeasible" {
		t.Errorf("pending %+v, want Infeasible", pending)
	}
	w.RemovePod(key("exporter"))
	if decisions, _ := w.Decide(); len(decisions) != 1 || decisions[0].Gang != "ns/g" {
		t.Errorf("decisions %+v, want the gang admitted", decisions)
	}
}

func TestANodeThatRegistersAgainStillHasItsDaemonSetPods(t *testing.T) {
	w := newWorld(t, 1)
	p := foreignPod("ds", "n0")
	p.Spec = podSpec("3")
	p.Spec.NodeName = "n0"
	p.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", APIVersion: "apps/v1", Name: "ds", UID: "ds", Controller: new(true)}}
	w.SetPod(p)
	w.RemoveNode("n0")
	if w.NodeReady("n0") {
		t.Error("a node that is gone is Ready")
	}
	w.SetNode(newNode("n0"))
	if got := w.free(); got != 5 {
		t.Errorf("%d idle, want 5: the DaemonSet's pod holds 3", got)
	}
	w.RemoveNode("n0")
	w.RemovePod(types.NamespacedName{Namespace: "ns", Name: "ds"})
	w.SetNode(newNode("n0"))
	if got := w.free(); got != 8 {
		t.Errorf("%d idle, want 8 once the pod is gone", got)
	}
}
