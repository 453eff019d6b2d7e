package translate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/engine"
)

func TestNode(t *testing.T) {
	ready := []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	tests := map[string]struct {
		node corev1.Node
		want engine.Node
	}{
		"ready, with its taints": {
			corev1.Node{
				ObjectMeta: metav1.ObjectMeta{Name: "n0", Labels: map[string]string{"rack": "r0"}},
				Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "team", Value: "a", Effect: corev1.TaintEffectNoSchedule}}},
				Status: corev1.NodeStatus{
					Conditions: ready, Capacity: list("cpu", "8"), Allocatable: list("cpu", "7500m", "nvidia.com/gpu", "8", "pods", "110"),
				},
			},
			engine.Node{
				Name: "n0", Labels: map[string]string{"rack": "r0"}, Ready: true,
				Taints:      []engine.Taint{{Key: "team", Value: "a", Effect: "NoSchedule"}},
				Allocatable: engine.Amounts{"cpu": 7500, "nvidia.com/gpu": 8, "pods": 110},
			},
		},
		"cordoned and not ready: said once, not by taints again": {
			corev1.Node{
				ObjectMeta: metav1.ObjectMeta{Name: "n1"},
				Spec: corev1.NodeSpec{Unschedulable: true, Taints: []corev1.Taint{
					{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
					{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
				}},
				Status: corev1.NodeStatus{
					Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown}}, Capacity: list("cpu", "1"),
				},
			},
			engine.Node{Name: "n1", Cordoned: true, Allocatable: engine.Amounts{"cpu": 1000}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Node(&test.node)); diff != "" {
				t.Errorf("node (-want +got):\n%s", diff)
			}
		})
	}
}

func TestForeignPodUsesItsNodeFromBindingToItsEnd(t *testing.T) {
	pod := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "x", Name: "p"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{container(list("cpu", "1"), nil)}},
	}
	if got, uses := ForeignPod(&pod); uses {
		t.Errorf("an unbound pod: got %v, want none", got)
	}
	pod.Spec.NodeName = "n0"
	got, uses := ForeignPod(&pod)
	want := engine.Foreign{Name: "x/p", Node: "n0", Requests: engine.Amounts{"cpu": 1000, "pods": 1}}
	if diff := cmp.Diff(want, got); !uses || diff != "" {
		t.Errorf("a bound pod (-want +got):\n%s", diff)
	}
	pod.Status.Phase = corev1.PodSucceeded
	if got, uses := ForeignPod(&pod); uses {
		t.Errorf("a finished pod: got %v, want none", got)
	}
}

func TestIsSystemPod(t *testing.T) {
	yes := true
	tests := map[string]struct {
		meta metav1.ObjectMeta
		want bool
	}{
		"a user's":                         {metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Controller: &yes}}}, false},
		"a mirror":                         {metav1.ObjectMeta{Annotations: map[string]string{corev1.MirrorPodAnnotationKey: "x"}}, true},
		"a daemon":                         {metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Controller: &yes}}}, true},
		"one that only names a daemon set": {metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet"}}}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := IsSystemPod(&corev1.Pod{ObjectMeta: test.meta}); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
