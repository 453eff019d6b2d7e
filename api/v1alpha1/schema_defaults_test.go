package v1alpha1_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// at returns the value at a path of an object, list items by number being left out: only the first is looked at.
func at(object *unstructured.Unstructured, path string) any {
	var value any = object.Object
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[key]
	}
	return value
}

func TestTheSchemaSetsDefaults(t *testing.T) {
	full := gang("roles: [" + worker + `], topology: {required: rack}, communication: {bytesPerStep: 1Gi}, runtime: {},
		checkpoint: {http: {port: 8080}}`)
	tests := map[string]struct {
		manifest string
		want     map[string]any
	}{
		"of a gang that says little": {gang(""), map[string]any{
			"spec.priority": int64(0), "spec.lifecycle": "Batch", "spec.backfill": "Never", "spec.managedBy": "berth.dev/gangjob",
			"spec.restart.maxRestarts": int64(3), "spec.roles.placement": "Slot", "spec.roles.replicas": int64(1),
			"spec.roles.minReplicas": nil, "spec.topology": nil, "spec.checkpoint": nil, "spec.tier": nil,
		}},
		"of the parts that a gang names": {full, map[string]any{
			"spec.topology.policy": "Locality", "spec.communication.pattern": "Ring", "spec.runtime.framework": "None",
			"spec.checkpoint.target": "All", "spec.checkpoint.gracePeriod": "60s", "spec.checkpoint.http.path": "/",
			"spec.checkpoint.signal": nil,
		}},
		"of a team": {"{kind: Team, spec: {}}", map[string]any{"spec.weight": int64(1), "spec.stopPolicy": "None"}},
		"of a quota": {
			"{kind: Quota, metadata: {name: d}, spec: {team: d, resources: [{pool: p, resource: r}]}}",
			map[string]any{"spec.resources.guaranteed": "0", "spec.resources.limit": nil, "spec.resources.lendable": nil},
		},
		"of a pool": {
			pool("accelerators: [{resource: nvidia.com/gpu}]"), map[string]any{"spec.accelerators.weight": "1"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			object, err := create(t, test.manifest)
			if err != nil {
				t.Fatalf("creating: %v", err)
			}
			for path, want := range test.want {
				if diff := cmp.Diff(want, at(object, path)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			}
		})
	}
}

func TestTheSchemaKeepsLabelsAndAnnotationsOfPodTemplates(t *testing.T) {
	object, err := create(t, gang(`roles: [{name: worker, template: {metadata: {labels: {app: llama}, annotations: {note: "1"}},
		spec: {containers: [{name: main, image: train}]}}}]`))
	if err != nil {
		t.Fatalf("creating: %v", err)
	}
	got := at(object, "spec.roles.template.metadata")
	want := map[string]any{"labels": map[string]any{"app": "llama"}, "annotations": map[string]any{"note": "1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metadata of the template (-want +got):\n%s", diff)
	}
}

func TestADomainCannotBecomeAnother(t *testing.T) {
	object, err := create(t, "{kind: TopologyDomain, spec: {pool: h100, level: rack, path: [r1]}}")
	if err != nil {
		t.Fatalf("creating: %v", err)
	}
	patch := func(body string) error {
		return server.client.Patch(t.Context(), object.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(body)))
	}
	if err := patch(`{"spec":{"cordoned":true}}`); err != nil {
		t.Errorf("cordoning is refused: %v", err)
	}
	err = patch(`{"spec":{"path":["r2"]}}`)
	if err == nil || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("changing the path: %v, want a refusal", err)
	}
}

// bound is what a CRD may measure, so that client-side apply, which keeps a copy in an annotation, can install it.
const bound = 250_000

func TestEveryCRDCanBeInstalledByClientSideApply(t *testing.T) {
	const folder = "../../config/crd/bases"
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 4 {
		t.Errorf("there are %d CRDs, want 4", len(entries))
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() >= bound {
			t.Errorf("%s measures %d bytes, must stay below %d", entry.Name(), info.Size(), bound)
		}
	}
}
