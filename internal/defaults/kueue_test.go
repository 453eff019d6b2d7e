package defaults_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
)

const (
	required = kueue.PodSetRequiredTopologyAnnotation
	wanted   = kueue.PodSetPreferredTopologyAnnotation
	slice    = kueue.PodSetSliceRequiredTopologyAnnotation
	size     = kueue.PodSetSliceSizeAnnotation
	layers   = kueue.PodSetSliceRequiredTopologyConstraintsAnnotation
)

// kueuePools have a rack each, under another label.
func kueuePools(t *testing.T) []v1alpha1.TopologyDomain {
	t.Helper()
	return []v1alpha1.TopologyDomain{
		*read[v1alpha1.TopologyDomain](t, "{metadata: {name: h100}, spec: {nodeSelector: {}, levels: [{name: spine, nodeLabel: x/spine}, {name: rack, nodeLabel: x/rack}]}}"),
		*read[v1alpha1.TopologyDomain](t, "{metadata: {name: cloud}, spec: {nodeSelector: {}, preset: gke}}"),
	}
}

// annotated is a gang of eight workers whose pods carry annotations, key and value by turns.
func annotated(t *testing.T, annotations ...string) *v1alpha1.GangJob {
	t.Helper()
	g := read[v1alpha1.GangJob](t, "{spec: {roles: [{name: worker, replicas: 8, template: {}}]}}")
	g.Spec.Roles[0].Template.Annotations = map[string]string{}
	for i := 0; i < len(annotations); i += 2 {
		g.Spec.Roles[0].Template.Annotations[annotations[i]] = annotations[i+1]
	}
	return g
}

func TestKueuesAnnotationsAreReadAsIfTopologyWereWritten(t *testing.T) {
	tests := map[string]struct {
		annotations []string
		topology    *v1alpha1.TopologyRequest
		groups      []v1alpha1.Group
	}{
		"none":                  {nil, nil, nil},
		"a required level":      {[]string{required, "x/rack"}, &v1alpha1.TopologyRequest{Required: "rack"}, nil},
		"a preferred level":     {[]string{wanted, "x/spine"}, &v1alpha1.TopologyRequest{Preferred: "spine"}, nil},
		"a preset's level":      {[]string{required, "cloud.google.com/gce-topology-subblock"}, &v1alpha1.TopologyRequest{Required: "subblock"}, nil},
		"the node":              {[]string{required, "kubernetes.io/hostname"}, &v1alpha1.TopologyRequest{Required: "node"}, nil},
		"slices":                {[]string{slice, "x/rack", size, "4"}, nil, []v1alpha1.Group{{Size: 4, Level: "rack"}}},
		"slices inside a level": {[]string{required, "x/spine", slice, "x/rack", size, "2"}, &v1alpha1.TopologyRequest{Required: "spine"}, []v1alpha1.Group{{Size: 2, Level: "rack"}}},
		"slices of slices": {
			[]string{layers, `[{"topology":"x/rack","size":4},{"topology":"kubernetes.io/hostname","size":2}]`},
			nil,
			[]v1alpha1.Group{{Size: 4, Level: "rack"}, {Size: 2, Level: "node"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := annotated(t, test.annotations...)
			if errs := defaults.KueueTopology(g, kueuePools(t)); len(errs) > 0 {
				t.Errorf("refused: %v", errs.ToAggregate())
			}
			if diff := cmp.Diff(test.topology, g.Spec.Topology); diff != "" {
				t.Errorf("topology (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.groups, g.Spec.Roles[0].Groups); diff != "" {
				t.Errorf("groups (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsWrittenCountsMoreThanKueuesAnnotations(t *testing.T) {
	g := annotated(t, required, "x/rack", slice, "x/rack", size, "4")
	g.Spec.Topology = &v1alpha1.TopologyRequest{Preferred: "spine"}
	want := g.DeepCopy()
	if errs := defaults.KueueTopology(g, kueuePools(t)); len(errs) > 0 {
		t.Errorf("refused: %v", errs.ToAggregate())
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKueuesAnnotationsThatMeanNothingAreTold(t *testing.T) {
	tests := map[string]struct {
		annotations []string
		key, want   string
	}{
		"a label of no level":     {[]string{required, "x/row"}, required, `node label "x/row"`},
		"a level of another pool": {[]string{wanted, "cloud.google.com/gce-topology-block"}, wanted, "no pool the gang may run in"},
		"slices without a size":   {[]string{slice, "x/rack"}, size, "number of pods of a slice"},
		"slices of no size":       {[]string{slice, "x/rack", size, "0"}, size, "from 1"},
		"layers that are no list": {[]string{layers, "x/rack"}, layers, "must be a JSON list"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := annotated(t, test.annotations...)
			g.Spec.Pool = "h100"
			errs := defaults.KueueTopology(g, kueuePools(t))
			field := fmt.Sprintf("spec.roles[0].template.metadata.annotations[%s]", test.key)
			if len(errs) != 1 || errs[0].Field != field || !strings.Contains(errs[0].Error(), test.want) {
				t.Errorf("refused: %v; want %s: %s", errs.ToAggregate(), field, test.want)
			}
			if g.Spec.Topology != nil {
				t.Errorf("topology is %+v, want none", g.Spec.Topology)
			}
		})
	}
}

func TestRolesThatDisagreeAreTold(t *testing.T) {
	g := annotated(t, required, "x/rack")
	other := g.Spec.Roles[0].DeepCopy()
	other.Name, other.Template.Annotations = "launcher", map[string]string{required: "x/spine"}
	g.Spec.Roles = append(g.Spec.Roles, *other)
	errs := defaults.KueueTopology(g, kueuePools(t))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "another role asks for level rack") {
		t.Errorf("refused: %v; want the second role's level", errs.ToAggregate())
	}
}
