package translate

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

func TestQuotaIsInThousandths(t *testing.T) {
	limit, lendable := resource.MustParse("1500m"), resource.MustParse("0")
	got := Quota(&v1alpha1.Quota{Spec: v1alpha1.QuotaSpec{
		Team: "a", MinRuntime: duration(time.Minute),
		Resources: []v1alpha1.ResourceQuota{
			{Pool: "h100", Resource: "nvidia.com/gpu", Guaranteed: resource.MustParse("8")},
			{Pool: "h100", Resource: "cpu", Guaranteed: resource.MustParse("500m"), Limit: &limit, Lendable: &lendable},
			{Pool: "h100", Resource: "memory", Guaranteed: resource.MustParse("9E")},
		},
	}})
	want := engine.Quota{Team: "a", MinRuntime: int64(time.Minute), Entries: []engine.Entitlement{
		{Pool: "h100", Resource: "nvidia.com/gpu", Guaranteed: 8000, Limit: engine.Unlimited, Lendable: engine.Unlimited},
		{Pool: "h100", Resource: "cpu", Guaranteed: 500, Limit: 1500, Lendable: 0},
		{Pool: "h100", Resource: "memory", Guaranteed: most, Limit: engine.Unlimited, Lendable: engine.Unlimited},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("quota (-want +got):\n%s", diff)
	}
}

func TestTeamStops(t *testing.T) {
	for policy, want := range map[v1alpha1.StopPolicy]engine.Team{
		"":                 {Name: "a", Weight: 1},
		v1alpha1.StopNone:  {Name: "a", Weight: 1},
		v1alpha1.StopHold:  {Name: "a", Weight: 1, Paused: true},
		v1alpha1.StopDrain: {Name: "a", Weight: 1, Paused: true, Drained: true},
	} {
		got := Team(&v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: v1alpha1.TeamSpec{StopPolicy: policy}})
		if got != want {
			t.Errorf("stopPolicy %q: got %+v, want %+v", policy, got, want)
		}
	}
}

func TestTeamClaimsNamespacesByNameAndLabel(t *testing.T) {
	team := &v1alpha1.Team{Spec: v1alpha1.TeamSpec{
		Namespaces: []string{"a"}, NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}},
	}}
	for namespace, test := range map[string]struct {
		labels map[string]string
		want   bool
	}{
		"a": {nil, true}, "b": {map[string]string{"team": "a"}, true}, "c": {map[string]string{"team": "c"}, false}, "d": {nil, false},
	} {
		if got := Claims(team, namespace, test.labels); got != test.want {
			t.Errorf("namespace %s: got %v, want %v", namespace, got, test.want)
		}
	}
}

func TestPool(t *testing.T) {
	got := Pool(&v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: "h100", CreationTimestamp: metav1.Unix(5, 0)},
		Spec: v1alpha1.TopologyDomainSpec{
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"gpu": "h100"}},
			Accelerators: []v1alpha1.Accelerator{
				{Resource: "nvidia.com/gpu"}, {Resource: "nvidia.com/mig-1g.10gb", Weight: resource.MustParse("143m")},
			},
			Levels: []v1alpha1.TopologyLevel{{
				Name: "rack", NodeLabel: "rack", Link: &v1alpha1.Link{Bandwidth: resource.MustParse("50G"), Latency: duration(5 * time.Microsecond)},
			}},
			NodeLink: &v1alpha1.Link{Bandwidth: resource.MustParse("900G")},
		},
	})
	want := engine.Pool{
		Name: "h100", Created: 5e9, Selector: engine.Selector{{{Key: "gpu", Operator: "In", Values: []string{"h100"}}}},
		Accelerators: []engine.Accelerator{{Resource: "nvidia.com/gpu", Weight: 1000}, {Resource: "nvidia.com/mig-1g.10gb", Weight: 143}},
		Levels:       []engine.Level{{Name: "rack", Label: "rack", Link: engine.Link{Bandwidth: 50e9, Latency: 5000}}},
		NodeLink:     engine.Link{Bandwidth: 900e9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pool (-want +got):\n%s", diff)
	}
	whole := Pool(&v1alpha1.TopologyDomain{}).Accelerators
	if diff := cmp.Diff([]engine.Accelerator{{Resource: "nvidia.com/gpu", Weight: 1}}, whole); diff != "" {
		t.Errorf("default accelerators (-want +got):\n%s", diff)
	}
}

func TestCordonsAreThoseOfOnePool(t *testing.T) {
	domains := []*v1alpha1.TopologyDomain{
		{ObjectMeta: metav1.ObjectMeta{Name: "h100"}, Spec: v1alpha1.TopologyDomainSpec{Cordoned: true}},
		{ObjectMeta: metav1.ObjectMeta{Name: "a10"}, Spec: v1alpha1.TopologyDomainSpec{Cordoned: true}},
		{ObjectMeta: metav1.ObjectMeta{Name: "r1"}, Spec: v1alpha1.TopologyDomainSpec{Pool: "h100", Path: []string{"s0", "r1"}, Cordoned: true}},
		{ObjectMeta: metav1.ObjectMeta{Name: "r2"}, Spec: v1alpha1.TopologyDomainSpec{Pool: "h100", Path: []string{"s0", "r2"}}},
	}
	if diff := cmp.Diff([][]string{{}, {"s0", "r1"}}, Cordons("h100", domains)); diff != "" {
		t.Errorf("cordons (-want +got):\n%s", diff)
	}
}
