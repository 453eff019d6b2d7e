package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// pod is the pod template of a gang's first role.
func pod(g *v1alpha1.GangJob) *corev1.PodSpec { return &g.Spec.Roles[0].Template.Spec }

// refusals are gangs that must be refused, each by a message that names the field and holds these words: the value, or
// what would be right.
var refusals = map[string]struct {
	change func(*v1alpha1.GangJob)
	field  string
	words  []string
}{
	"a lifecycle to come": {func(g *v1alpha1.GangJob) { g.Spec.Lifecycle = v1alpha1.LifecycleService }, "spec.lifecycle", []string{"Service", "not yet", "Batch"}},
	"an adopted workload": {func(g *v1alpha1.GangJob) {
		g.Spec.WorkloadRef = &v1alpha1.WorkloadReference{APIVersion: "batch/v1", Kind: "Job", Name: "x"}
	}, "spec.workloadRef", []string{"not yet", "spec.roles"}},
	"a policy to come": {func(g *v1alpha1.GangJob) {
		g.Spec.Topology = &v1alpha1.TopologyRequest{Policy: v1alpha1.PolicySpread}
	}, "spec.topology.policy", []string{"Spread", "not yet", "Locality"}},
	"a pool per role":     {func(g *v1alpha1.GangJob) { g.Spec.Roles[0].Pool = "other" }, "pool", []string{"not yet", "spec.pool"}},
	"an unknown pool":     {func(g *v1alpha1.GangJob) { g.Spec.Pool = "h9000" }, "spec.pool", []string{"h9000", "refuse"}},
	"an unknown level":    {func(g *v1alpha1.GangJob) { g.Spec.Topology = &v1alpha1.TopologyRequest{Required: "aisle"} }, "spec.topology.required", []string{"aisle", "rack"}},
	"an unknown tier":     {func(g *v1alpha1.GangJob) { g.Spec.Tier = "Gold" }, "spec.tier", []string{"Gold", "Production"}},
	"a priority too high": {func(g *v1alpha1.GangJob) { g.Spec.Priority = 1001 }, "spec.priority", []string{"1000"}},
	"too few replicas":    {func(g *v1alpha1.GangJob) { g.Spec.Roles[0].MinReplicas = ptr.To[int32](3) }, "minReplicas", []string{"replicas"}},
	"a group that divides nothing": {func(g *v1alpha1.GangJob) {
		g.Spec.Roles[0].Groups = []v1alpha1.Group{{Size: 3, Level: "node"}}
	}, "groups", []string{"size"}},
	"a group of an unknown level": {func(g *v1alpha1.GangJob) {
		g.Spec.Roles[0].Groups = []v1alpha1.Group{{Size: 2, Level: "aisle"}}
	}, "spec.roles[0].groups[0].level", []string{"aisle", "rack"}},
	"a role name that is none": {func(g *v1alpha1.GangJob) { g.Spec.Roles[0].Name = "Worker_1" }, "spec.roles[0].name", []string{"Worker_1"}},
	"a success that no role decides": {func(g *v1alpha1.GangJob) {
		g.Spec.SuccessPolicy = &v1alpha1.SuccessPolicy{Roles: []string{"launcher"}}
	}, "spec.successPolicy.roles", []string{"role"}},
	"only free roles": {func(g *v1alpha1.GangJob) {
		g.Spec.Roles[0].Placement = v1alpha1.PlacementFree
		pod(g).Containers[0].Resources = corev1.ResourceRequirements{}
	}, "spec.roles", []string{"Slot"}},
	"a free role with accelerators": {func(g *v1alpha1.GangJob) {
		g.Spec.Roles = append(g.Spec.Roles, v1alpha1.Role{Name: "free", Replicas: 1, Placement: v1alpha1.PlacementFree, Template: podTemplate(1)})
	}, "spec.roles[1]", []string{gpu, "Slot"}},
	"a restart policy": {func(g *v1alpha1.GangJob) { pod(g).RestartPolicy = corev1.RestartPolicyOnFailure }, "restartPolicy", []string{"OnFailure", "Never"}},
	"pod affinity": {func(g *v1alpha1.GangJob) {
		pod(g).Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "kubernetes.io/hostname"}},
		}}
	}, "affinity.podAntiAffinity", []string{"topology"}},
	"a hard spread": {func(g *v1alpha1.GangJob) {
		pod(g).TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
		}}
	}, "topologySpreadConstraints", []string{"DoNotSchedule", "remove it"}},
	"a resource claim": {func(g *v1alpha1.GangJob) {
		pod(g).ResourceClaims = []corev1.PodResourceClaim{{Name: "c", ResourceClaimName: new("mine")}}
	}, "resourceClaims", []string{"uncounted"}},
	"the host's processes": {func(g *v1alpha1.GangJob) { pod(g).HostPID = true }, "hostPID", []string{"true", "remove it"}},
	"a request below its limit": {func(g *v1alpha1.GangJob) {
		pod(g).Containers[0].Resources.Requests = corev1.ResourceList{gpu: resource.MustParse("4")}
	}, "resources", []string{gpu, "4", "8"}},
	"a name whose children are too long": {func(g *v1alpha1.GangJob) { g.Name = strings.Repeat("n", 55) }, "metadata.name", []string{"63"}},
	"both a signal and a hook": {func(g *v1alpha1.GangJob) {
		g.Spec.Checkpoint = &v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1, HTTP: &v1alpha1.CheckpointHTTP{Port: 80}}
	}, "spec.checkpoint", []string{"one of"}},
	"rank 0 alone by SIGTERM": {func(g *v1alpha1.GangJob) {
		g.Spec.Checkpoint = &v1alpha1.CheckpointSpec{Target: v1alpha1.TargetRank0}
	}, "spec.checkpoint.target", []string{"Rank0", "SIGUSR1"}},
	"a grace too long": {func(g *v1alpha1.GangJob) {
		g.Spec.Checkpoint = &v1alpha1.CheckpointSpec{GracePeriod: &metav1.Duration{Duration: time.Hour}}
	}, "gracePeriod", []string{"15m"}},
	"MPI without keys": {func(g *v1alpha1.GangJob) {
		g.Spec.Runtime = &v1alpha1.RuntimeSpec{Framework: v1alpha1.FrameworkMPI}
	}, "spec.runtime.mpi", []string{"sshSecretName"}},
	"a label of Berth's own": {func(g *v1alpha1.GangJob) {
		g.Spec.Roles[0].Template.Labels = map[string]string{v1alpha1.LabelGang: "other"}
	}, "berth.dev/gang", []string{"berth.dev/"}},
}

func TestWhatIsRefusedIsNamedWithARemedy(t *testing.T) {
	w := newWorld(t, "refuse", 1, 1)
	ns := w.team("a", 8, 0)
	ctx := w.ctx(patience)
	w.must(admin.Create(ctx, w.gang(ns, "valid", 2, 8), client.DryRunAll), "what the refused gangs are made from")
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			g := w.gang(ns, "g", 2, 8, test.change)
			err := admin.Create(ctx, g, client.DryRunAll)
			if !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) {
				t.Fatalf("the answer is %v, want a refusal", err)
			}
			for _, word := range append(test.words, test.field) {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("the refusal does not hold %q: %v", word, err)
				}
			}
		})
	}
}

func TestUnknownFieldsAreRefusedByStrictClients(t *testing.T) {
	w := newWorld(t, "strict", 1, 1)
	ns := w.team("a", 8, 0)
	body := `{"apiVersion":"berth.dev/v1alpha1","kind":"GangJob","metadata":{"name":"g"},"spec":{"tiers":"Batch","roles":[{"name":"w","template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}`
	err := raw(w).Post().AbsPath("/apis/berth.dev/v1alpha1/namespaces/"+ns+"/gangjobs").Param("fieldValidation", "Strict").
		SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(w.ctx(time.Minute)).Error()
	if err == nil || !strings.Contains(err.Error(), `unknown field "spec.tiers"`) {
		t.Errorf("the answer is %v, want a refusal of spec.tiers", err)
	}
}

func TestRolesAreFrozenWhileTheGangHoldsABerth(t *testing.T) {
	w := newWorld(t, "frozen", 1, 2)
	ns := w.team("a", 16, 0)
	g := w.submit(w.gang(ns, "g", 1, 8))
	running := w.phase(g, v1alpha1.PhaseRunning)
	for field, change := range map[string]func(*v1alpha1.GangJob){
		"spec.roles":    func(g *v1alpha1.GangJob) { g.Spec.Roles[0].Replicas = 2 },
		"spec.pool":     func(g *v1alpha1.GangJob) { g.Spec.Pool = "" },
		"spec.topology": requireRack,
	} {
		next := running.DeepCopy()
		change(next)
		err := admin.Patch(w.ctx(time.Minute), next, client.MergeFrom(running))
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("changing %s while running: %v, want a refusal that names it", field, err)
		}
	}
	next := running.DeepCopy()
	next.Spec.Priority = 5
	w.must(admin.Patch(w.ctx(time.Minute), next, client.MergeFrom(running)), "changing the priority")
}

func TestAWaitingGangThatAsksForSomethingElseQueuesAnew(t *testing.T) {
	w := newWorld(t, "anew", 1, 2)
	ns := w.team("a", 16, 0)
	first := w.submit(w.gang(ns, "first", 1, 8))
	w.phase(first, v1alpha1.PhaseRunning)
	g := w.submit(w.gang(ns, "g", 2, 8))
	waiting := w.pending(g, v1alpha1.ReasonNoCoherentSlot)
	w.wait("a second has passed", func(context.Context) bool {
		return time.Since(waiting.Status.QueuedTime.Time) > 2*time.Second
	}, func() string { return "no time" })
	next := w.get(g)
	before := next.DeepCopy()
	next.Spec.Roles[0].Replicas = 1
	w.must(admin.Patch(w.ctx(time.Minute), next, client.MergeFrom(before)), "asking for one pod")
	running := w.phase(g, v1alpha1.PhaseRunning)
	if !waiting.Status.QueuedTime.Before(running.Status.QueuedTime) || running.Status.ReadyPods != "1/1" {
		t.Errorf("queued at %v, first at %v; pods %s", running.Status.QueuedTime, waiting.Status.QueuedTime, running.Status.ReadyPods)
	}
}
