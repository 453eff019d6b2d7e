package demo

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func someNodes(count int) []corev1.Node {
	var nodes []corev1.Node
	for i := range count {
		nodes = append(nodes, corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name:   fmt.Sprintf("n%d", i),
			Labels: map[string]string{rackLabel: fmt.Sprintf("r%d", i/8), spineLabel: fmt.Sprintf("s%d", i/32)},
		}})
	}
	return nodes
}

func aPod(name, on string, phase corev1.PodPhase) corev1.Pod {
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "research", Name: name, Labels: map[string]string{v1alpha1.LabelGang: "sweep"}},
		Spec:       corev1.PodSpec{NodeName: on},
		Status:     corev1.PodStatus{Phase: phase},
	}
}

func TestMapGroupsNodesByRackInTheOrderOfTheirNumbers(t *testing.T) {
	racks := mapOf(someNodes(96))
	if len(racks) != 12 || racks[2].name != "r2" || racks[11].name != "r11" || racks[11].spine != "s2" {
		t.Fatalf("want racks r0 to r11, got %+v", racks)
	}
	if got := racks[1].nodes[2].name; got != "n10" {
		t.Errorf("the third node of r1 is %s, want n10", got)
	}
}

func TestANodeIsHeldByPodsThatHaveNotEnded(t *testing.T) {
	racks := mapOf(someNodes(8))
	full := world{racks: occupied(racks, []corev1.Pod{
		aPod("runs", "n0", corev1.PodRunning),
		aPod("starts", "n1", corev1.PodPending),
		aPod("waits", "", corev1.PodPending),
		aPod("ended", "n2", corev1.PodSucceeded),
		aPod("broke", "n3", corev1.PodFailed),
	})}
	var held []string
	for _, n := range full.racks[0].nodes {
		if n.gang != "" {
			held = append(held, n.name+"="+n.gang)
		}
	}
	if diff := cmp.Diff([]string{"n0=research/sweep", "n1=research/sweep"}, held); diff != "" {
		t.Errorf("held nodes (-want +got):\n%s", diff)
	}
	if full.racks[0].free() != 6 || full.pods("research/sweep") != 2 {
		t.Errorf("free nodes %d, want 6; bound pods %d, want 2", full.racks[0].free(), full.pods("research/sweep"))
	}
	if racks[0].free() != 8 {
		t.Error("the empty map was changed")
	}
}
