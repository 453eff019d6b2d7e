package validate_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/validate"
)

// world has two pools, one with spines and racks, the other with blocks, and a team for namespace research.
func world() *validate.World {
	team := v1alpha1.Team{
		ObjectMeta: metav1.ObjectMeta{Name: "research"},
		Spec:       v1alpha1.TeamSpec{Tiers: []v1alpha1.Tier{v1alpha1.TierBatch, v1alpha1.TierInteractive}},
	}
	w := &validate.World{
		Teams: []v1alpha1.Team{team},
		TeamOf: func(namespace string) *v1alpha1.Team {
			if namespace == "research" {
				return &team
			}
			return nil
		},
		Pools: []v1alpha1.TopologyDomain{
			pool("h100", v1alpha1.TopologyLevel{Name: "spine", NodeLabel: "example.com/spine"},
				v1alpha1.TopologyLevel{Name: "rack", NodeLabel: "example.com/rack"}),
			pool("b200", v1alpha1.TopologyLevel{Name: "block", NodeLabel: "example.com/block"}),
		},
		ClaimDrivers: func(_ string, claim corev1.PodResourceClaim) []string {
			if claim.Name == "channel" {
				return []string{"compute-domain.nvidia.com"}
			}
			return []string{"gpu.nvidia.com"}
		},
	}
	w.Limits.Default()
	w.Limits.UncountedDrivers = []string{"compute-domain.nvidia.com"}
	return w
}

func pool(name string, levels ...v1alpha1.TopologyLevel) v1alpha1.TopologyDomain {
	d := v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.TopologyDomainSpec{
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"gpu": name}}, Levels: levels,
		},
	}
	defaults.TopologyDomain(&d)
	return d
}

// read reads a manifest strictly.
func read[T any](t *testing.T, manifest string) *T {
	t.Helper()
	object := new(T)
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		t.Fatalf("reading %s: %v", manifest, err)
	}
	return object
}

// gang reads the manifest of a gang in namespace research; fields of its spec and of its role's pod may be given. Fields
// that a spec names replace those that it would have otherwise.
func gang(t *testing.T, spec string) *v1alpha1.GangJob {
	t.Helper()
	base := map[string]any{}
	if err := yaml.Unmarshal([]byte(`{roles: [{name: worker, replicas: 8, template: {spec: {containers: [{name: main}]}}}]}`), &base); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte("{"+spec+"}"), &base); err != nil {
		t.Fatalf("reading %s: %v", spec, err)
	}
	raw, err := yaml.Marshal(map[string]any{"metadata": map[string]any{"name": "llama", "namespace": "research"}, "spec": base})
	if err != nil {
		t.Fatal(err)
	}
	g := read[v1alpha1.GangJob](t, string(raw))
	w := world()
	defaults.GangJob(g, w.TeamOf(g.Namespace), w.Pools)
	return g
}

// wantRefused wants a mistake of a field, told with its value and a remedy, and no other.
func wantRefused(t *testing.T, errs field.ErrorList, at, message string) {
	t.Helper()
	if len(errs) == 0 {
		t.Fatalf("nothing is refused, want %s: %s", at, message)
	}
	for _, err := range errs {
		if err.Field == at && strings.Contains(err.Error(), message) {
			return
		}
	}
	t.Errorf("refused:\n  %v\nwant %s: ... %s", errs.ToAggregate(), at, message)
}

// wantAccepted wants no mistake.
func wantAccepted(t *testing.T, errs field.ErrorList) {
	t.Helper()
	if len(errs) > 0 {
		t.Errorf("refused: %v", errs.ToAggregate())
	}
}
