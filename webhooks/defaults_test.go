package webhooks_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// namespace makes one for a test.
func namespace(t *testing.T) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := admin.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

// object reads the manifest of an object.
func object[T any](t *testing.T, manifest string) *T {
	t.Helper()
	o := new(T)
	if err := yaml.UnmarshalStrict([]byte(manifest), o); err != nil {
		t.Fatalf("reading %s: %v", manifest, err)
	}
	return o
}

// eventually waits for what holds once the webhooks have seen what was written.
func eventually(t *testing.T, what string, holds func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitDeadline)
	defer cancel()
	if err := cluster.WaitFor(ctx, what, holds); err != nil {
		t.Fatal(err)
	}
}

// gang is a gang of two workers of eight GPUs.
func gang(t *testing.T, namespace, name, spec string) *v1alpha1.GangJob {
	t.Helper()
	return object[v1alpha1.GangJob](t, `{metadata: {name: `+name+`, namespace: `+namespace+`}, spec: {`+spec+`
		roles: [{name: worker, replicas: 2, template: {metadata: {annotations: {`+devcluster.AnnotationRunFor+`: 1h}},
			spec: {containers: [{name: main, image: train, resources: {limits: {nvidia.com/gpu: "8"}}}]}}}]}}`)
}

func TestTheTierComesFromTheTeam(t *testing.T) {
	ns := namespace(t)
	team := object[v1alpha1.Team](t, `{metadata: {name: `+ns+`}, spec: {namespaces: [`+ns+`], tiers: [Interactive, Production]}}`)
	if err := admin.Create(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	if team.Spec.DefaultTier != v1alpha1.TierInteractive {
		t.Errorf("the team's default tier is %q, want Interactive", team.Spec.DefaultTier)
	}
	eventually(t, "a gang gets its team's tier", func(ctx context.Context) (bool, error) {
		g := gang(t, ns, "probe", "")
		err := admin.Create(ctx, g, client.DryRunAll)
		return err == nil && g.Spec.Tier == v1alpha1.TierInteractive, err
	})
	err := admin.Create(t.Context(), gang(t, ns, "batch", "tier: Batch,"))
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "allows only Interactive, Production") {
		t.Errorf("a tier that the team does not have: %v, want a refusal that lists its tiers", err)
	}
}

func TestWhoCreatesAGangIsStampedAndStays(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "mine", "")
	g.Annotations = map[string]string{v1alpha1.AnnotationSubmitter: "somebody-else"}
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	if got := g.Annotations[v1alpha1.AnnotationSubmitter]; got != "admin" {
		t.Errorf("the submitter is %q, want admin", got)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"annotations":{"berth.dev/submitter":"bob"}}}`))
	if err := admin.Patch(t.Context(), g.DeepCopy(), patch); err == nil || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("another submitter: %v, want a refusal", err)
	}
	replaced := gang(t, ns, "mine", "suspend: true,")
	replaced.ResourceVersion = g.ResourceVersion
	if err := admin.Update(t.Context(), replaced); err != nil {
		t.Errorf("replacing the gang by its manifest: %v", err)
	}
	if got := replaced.Annotations[v1alpha1.AnnotationSubmitter]; got != "admin" {
		t.Errorf("after it was replaced the submitter is %q, want admin", got)
	}
}

func TestKueuesAnnotationsAreReadByThePoolsLabels(t *testing.T) {
	ns := namespace(t)
	pool := object[v1alpha1.TopologyDomain](t, `{metadata: {name: `+ns+`}, spec: {nodeSelector: {matchLabels: {pool: `+ns+`}},
		levels: [{name: rack, nodeLabel: example.com/rack}]}}`)
	if err := admin.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if len(pool.Spec.Accelerators) != 1 || pool.Spec.Accelerators[0].Resource != v1alpha1.DefaultAccelerator {
		t.Errorf("the pool counts %v, want GPUs", pool.Spec.Accelerators)
	}
	eventually(t, "the annotation is read", func(ctx context.Context) (bool, error) {
		g := gang(t, ns, "kueue", "pool: "+ns+",")
		g.Spec.Roles[0].Template.Annotations["kueue.x-k8s.io/podset-required-topology"] = "example.com/rack"
		err := admin.Create(ctx, g, client.DryRunAll)
		if apierrors.IsInvalid(err) {
			return false, nil // the pool is not seen yet
		}
		return err == nil && g.Spec.Topology != nil && g.Spec.Topology.Required == "rack", err
	})
	g := gang(t, ns, "lost", "pool: "+ns+",")
	g.Spec.Roles[0].Template.Annotations["kueue.x-k8s.io/podset-required-topology"] = "example.com/row"
	if err := admin.Create(t.Context(), g); err == nil || !strings.Contains(err.Error(), `node label "example.com/row"`) {
		t.Errorf("a label of no level: %v, want a refusal that names it", err)
	}
}
