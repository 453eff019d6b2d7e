package team_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/ledger"
)

// queue makes a gang of pods of 8 GPUs that waits, with the suspended Job that a start would release.
func queue(t *testing.T, namespace, name, pool string, pods int) *v1alpha1.GangJob {
	t.Helper()
	g := &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.GangJobSpec{
			Tier: v1alpha1.TierBatch, Pool: pool,
			Roles: []v1alpha1.Role{{Name: "worker", Replicas: int32(pods), Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever,
				Containers: []corev1.Container{{
					Name: "main", Image: "registry.example.com/train",
					Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{gpu: resource.MustParse("8")}},
				}},
			}}}},
		},
	}
	world.Create(t, g)
	devcontrol.ChangeStatus(t, &world, g, func(g *v1alpha1.GangJob) {
		ledger.Queue(g, time.Now(), resource.MustParse("8"), int32(pods))
	})
	job := gang.Job(g, &g.Spec.Roles[0], 1, gang.Options{})
	job.Spec.Template.Spec.PriorityClassName = "" // those of the manager are not installed here
	world.Create(t, job)
	return g
}

// reserve gives a gang nodes, one pod each, as the admission loop would.
func reserve(t *testing.T, g *v1alpha1.GangJob, team string, nodes ...string) {
	t.Helper()
	slot := engine.Slot{Pool: g.Spec.Pool, Roles: []engine.RoleSlot{{Role: "worker", Nodes: nodes}}}
	devcontrol.ChangeStatus(t, &world, g, func(g *v1alpha1.GangJob) { ledger.Reserve(g, team, slot, time.Now()) })
}

func TestATeamsGangsAreCountedAndWhatTheyUse(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, devcluster.NodeGroup{
		Count: 8, Name: "use-{i}", Labels: map[string]string{poolLabel: "use"}, Capacity: map[corev1.ResourceName]string{gpu: "8"},
	})
	world.Create(t, &v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: "use"},
		Spec:       v1alpha1.TopologyDomainSpec{NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: "use"}}},
	})
	world.Create(t, newNamespace("use-busy", nil), newNamespace("use-idle", nil))
	world.Create(t, newTeam("use-top"), newTeam("use-busy", has("use-busy"), under("use-top")), newTeam("use-idle", has("use-idle")),
		guarantee("use-busy", "use", "16"), guarantee("use-idle", "use", "48"))
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{
		"Parent": "use-top", "Weight": "1", "Pending": "0", "Admitted": "0", "Preempting": "0",
		"Guaranteed": "16", "Used": "0", "Borrowed": "0", "Lent": "0", "Share": "", "Stop": "None",
	})
	eventuallyHas(t, "use-busy", "use-busy")

	small, large := queue(t, "use-busy", "small", "use", 1), queue(t, "use-busy", "large", "use", 3)
	queue(t, "use-busy", "third", "use", 2)
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{"Pending": "3", "Admitted": "0", "Used": "0"})

	reserve(t, small, "use-busy", "use-0")
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{"Pending": "2", "Admitted": "1", "Used": "8", "Borrowed": "0"})
	world.EventuallyRow(t, "teams", "use-idle", map[string]string{"Used": "0", "Guaranteed": "48", "Lent": "0"})

	reserve(t, large, "use-busy", "use-1", "use-2", "use-3")
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{
		"Pending": "1", "Admitted": "2", "Preempting": "0", "Used": "32", "Borrowed": "16", "Share": "0.250", "Dominant": "use/" + gpu,
	})
	world.EventuallyRow(t, "teams", "use-idle", map[string]string{"Used": "0", "Lent": "16"})
	// The parent has no quota and no gang of its own: it sums up those below it.
	world.EventuallyRow(t, "teams", "use-top", map[string]string{
		"Pending": "0", "Admitted": "0", "Guaranteed": "16", "Used": "32", "Borrowed": "16",
	})

	devcontrol.ChangeStatus(t, &world, large, func(g *v1alpha1.GangJob) {
		ledger.Notice(g, "", engine.ByReclaim.String(), "it is taken back", time.Now(), time.Now().Add(time.Minute))
	})
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{"Pending": "1", "Admitted": "1", "Preempting": "1"})

	if err := world.Client.Delete(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	world.EventuallyRow(t, "teams", "use-busy", map[string]string{"Admitted": "0", "Preempting": "1"})
}

func TestUsageTellsWhatAQuotaGivesOfEveryPoolAndItsLimit(t *testing.T) {
	t.Parallel()
	world.Create(t, newTeam("limits"))
	world.AddNodes(t, devcluster.NodeGroup{
		Count: 1, Name: "limits-{i}", Labels: map[string]string{poolLabel: "limits"}, Capacity: map[corev1.ResourceName]string{gpu: "8"},
	})
	world.Create(t, &v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: "limits"},
		Spec:       v1alpha1.TopologyDomainSpec{NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: "limits"}}},
	})
	quota := guarantee("limits", "limits", "2")
	limit := resource.MustParse("96")
	quota.Spec.Resources = append(quota.Spec.Resources, v1alpha1.ResourceQuota{Pool: "limits", Resource: "cpu", Limit: &limit})
	world.Create(t, quota)
	eventuallyUsage(t, "limits", []v1alpha1.ResourceUsage{
		{Pool: "limits", Resource: "cpu", Limit: &limit},
		{Pool: "limits", Resource: gpu, Guaranteed: resource.MustParse("2")},
	})
	// Cores are no accelerators.
	world.EventuallyRow(t, "teams", "limits", map[string]string{"Guaranteed": "2", "Used": "0"})
}
