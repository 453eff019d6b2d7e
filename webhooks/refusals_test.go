package webhooks_test

import (
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// waitDeadline is how long what was written may take to be seen.
const waitDeadline = 30 * time.Second

func TestWhatTheRulesRefuseTheAPIServerRefuses(t *testing.T) {
	ns := namespace(t)
	tests := map[string]struct {
		object client.Object
		want   string
	}{
		"a pool that there is not": {gang(t, ns, "a", "pool: nowhere,"), "spec.pool: Invalid value: \"nowhere\": there is no such pool"},
		"a level that there is not": {
			gang(t, ns, "a", "topology: {required: row},"), "spec.topology.required: Invalid value: \"row\": there is no such level",
		},
		"too long a name": {gang(t, ns, strings.Repeat("a", 60), ""), "characters too long"},
		"a quota that lends more than it has": {
			object[v1alpha1.Quota](t, "{metadata: {name: q}, spec: {team: q, resources: [{pool: p, resource: r, guaranteed: 1, lendable: 2}]}}"),
			"spec.resources[0].lendable: Invalid value: \"2\": must be at most guaranteed, which is 1",
		},
		"a protection beyond the manager's bound": {
			object[v1alpha1.Quota](t, "{metadata: {name: q}, spec: {team: q, minRuntime: 5h}}"), "must be at most 4h",
		},
		"a team in a namespace that cannot be": {
			object[v1alpha1.Team](t, "{metadata: {name: q}, spec: {namespaces: [A_B]}}"), "spec.namespaces[0]",
		},
		"a level told by the host name": {
			object[v1alpha1.TopologyDomain](t, "{metadata: {name: q}, spec: {nodeSelector: {}, levels: [{name: host, nodeLabel: kubernetes.io/hostname}]}}"),
			"innermost level anyway",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := admin.Create(t.Context(), test.object)
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("answer %v, want a refusal with %s", err, test.want)
			}
		})
	}
}

func TestWhatABerthRestsOnStays(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "held", "")
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	reserve(t, g, v1alpha1.BerthReserved, 1, "n0", "n1")
	patch := func(body string) error {
		return admin.Patch(t.Context(), g.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(body)))
	}
	if err := patch(`{"spec":{"topology":{"required":"node"}}}`); err == nil || !strings.Contains(err.Error(), "while the gang holds a berth (Reserved)") {
		t.Errorf("changing the topology: %v, want a refusal that says why", err)
	}
	if err := patch(`{"spec":{"suspend":true}}`); err != nil {
		t.Errorf("suspending is refused: %v", err)
	}
}

// reserve writes a berth into a gang's status as the manager does.
func reserve(t *testing.T, g *v1alpha1.GangJob, state v1alpha1.BerthState, attempt int32, nodes ...string) {
	t.Helper()
	before := g.DeepCopy()
	g.Status.Berth = &v1alpha1.BerthStatus{State: state, Attempt: attempt}
	g.Status.Assignment = &v1alpha1.Assignment{
		Pool: "h100", Level: "rack", Domain: "r0",
		Roles: []v1alpha1.RoleAssignment{{Name: "worker", Nodes: []v1alpha1.NodeRun{{Suffixes: nodes}}}},
	}
	if err := manager.Status().Patch(t.Context(), g, client.MergeFrom(before)); err != nil {
		t.Fatalf("writing the berth: %v", err)
	}
}
