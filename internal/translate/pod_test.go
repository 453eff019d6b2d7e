package translate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/internal/engine"
)

func list(pairs ...string) corev1.ResourceList {
	out := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		out[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return out
}

func container(requests, limits corev1.ResourceList) corev1.Container {
	return corev1.Container{Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}
}

func TestRequestsAreThoseThatKubeSchedulerCounts(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	sidecar := container(list("cpu", "10m", "memory", "32Mi"), nil)
	sidecar.RestartPolicy = &always
	tests := map[string]struct {
		spec corev1.PodSpec
		want engine.Amounts
	}{
		"nothing asked": {corev1.PodSpec{Containers: []corev1.Container{{}}}, engine.Amounts{"pods": 1}},
		"a limit stands for a missing request": {
			corev1.PodSpec{Containers: []corev1.Container{
				container(list("cpu", "500m"), list("cpu", "2", "memory", "1Gi", "nvidia.com/gpu", "8")),
			}},
			engine.Amounts{"cpu": 500, "memory": 1 << 30, "nvidia.com/gpu": 8, "pods": 1},
		},
		"containers add up": {
			corev1.PodSpec{Containers: []corev1.Container{
				container(list("cpu", "1"), nil), container(list("cpu", "2500m"), nil),
			}},
			engine.Amounts{"cpu": 3500, "pods": 1},
		},
		"an init container counts where it needs more": {
			corev1.PodSpec{
				InitContainers: []corev1.Container{container(list("cpu", "1", "memory", "4Gi"), nil)},
				Containers:     []corev1.Container{container(list("cpu", "2", "memory", "1Gi"), nil)},
			},
			engine.Amounts{"cpu": 2000, "memory": 4 << 30, "pods": 1},
		},
		"a native sidecar adds up with the containers": {
			corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar}, Containers: []corev1.Container{container(list("cpu", "1"), nil)},
			},
			engine.Amounts{"cpu": 1010, "memory": 32 << 20, "pods": 1},
		},
		"overhead is added": {
			corev1.PodSpec{Overhead: list("cpu", "250m"), Containers: []corev1.Container{container(list("cpu", "1"), nil)}},
			engine.Amounts{"cpu": 1250, "pods": 1},
		},
		"the pod's own resources go before its containers'": {
			corev1.PodSpec{
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "4")},
				Containers: []corev1.Container{container(list("cpu", "1", "nvidia.com/gpu", "1"), nil)},
			},
			engine.Amounts{"cpu": 4000, "nvidia.com/gpu": 1, "pods": 1},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Requests(&test.spec)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func affinity(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}
}

func TestSelectorAndAffinityAreJoined(t *testing.T) {
	in := func(key string, values ...string) []corev1.NodeSelectorRequirement {
		return []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}}
	}
	labels := map[string]string{"rack": "r1", "gpu": "h100"}
	common := engine.Term{{Key: "gpu", Operator: "In", Values: []string{"h100"}}, {Key: "rack", Operator: "In", Values: []string{"r1"}}}
	tests := map[string]struct {
		spec corev1.PodSpec
		want engine.Selector
	}{
		"neither":         {corev1.PodSpec{}, nil},
		"labels, by name": {corev1.PodSpec{NodeSelector: labels}, engine.Selector{common}},
		"a term per choice": {
			corev1.PodSpec{NodeSelector: labels, Affinity: affinity(
				corev1.NodeSelectorTerm{MatchExpressions: in("zone", "a", "b")},
				corev1.NodeSelectorTerm{MatchFields: in("metadata.name", "n1")},
			)},
			engine.Selector{
				append(engine.Term{{Key: "zone", Operator: "In", Values: []string{"a", "b"}}}, common...),
				append(engine.Term{{Key: engine.NameKey, Operator: "In", Values: []string{"n1"}}}, common...),
			},
		},
		"an empty term adds no node": {
			corev1.PodSpec{Affinity: affinity(corev1.NodeSelectorTerm{}, corev1.NodeSelectorTerm{MatchExpressions: in("zone", "a")})},
			engine.Selector{{{Key: "zone", Operator: "In", Values: []string{"a"}}}},
		},
		"empty terms alone hold for no node, labels or not": {
			corev1.PodSpec{NodeSelector: labels, Affinity: affinity(corev1.NodeSelectorTerm{})},
			engine.Selector{engine.Term{}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Pod(&test.spec).Selector); diff != "" {
				t.Errorf("selector (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTolerationsGetTheirDefaultOperator(t *testing.T) {
	got := Pod(&corev1.PodSpec{Tolerations: []corev1.Toleration{
		{Key: "a", Value: "b", Effect: corev1.TaintEffectNoSchedule}, {Operator: corev1.TolerationOpExists},
	}}).Tolerations
	want := []engine.Toleration{{Key: "a", Operator: "Equal", Value: "b", Effect: "NoSchedule"}, {Operator: "Exists"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tolerations (-want +got):\n%s", diff)
	}
}
