package quota_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcontrol"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/ledger"
)

// occupy makes a gang of one pod of 8 GPUs that has a node, as the admission loop would.
func occupy(t *testing.T, team, name, pool, node string) {
	t.Helper()
	g := &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: team, Name: name},
		Spec: v1alpha1.GangJobSpec{
			Tier: v1alpha1.TierBatch, Pool: pool,
			Roles: []v1alpha1.Role{{Name: "worker", Replicas: 1, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				Containers: []corev1.Container{{
					Name: "main", Image: "registry.example.com/train",
					Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{gpu: resource.MustParse("8")}},
				}},
			}}}},
		},
	}
	world.Create(t, g)
	slot := engine.Slot{Pool: pool, Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{node}}}}
	devcontrol.ChangeStatus(t, &world, g, func(g *v1alpha1.GangJob) { ledger.Reserve(g, team, slot, time.Now()) })
}

func TestAQuotaTellsWhatIsUsedOfWhatItGives(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("given", "given", 3), nodes("free-for-all", "free-for-all", 1))
	world.Create(t, newPool("given"), newPool("free-for-all"))
	world.Create(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "user"}})
	limit := resource.MustParse("20")
	mine := entry("given", "12")
	mine.Limit = &limit
	world.Create(t, newTeam("user"), newTeam("lender"), newQuota("user", mine), newQuota("lender", entry("given", "12")))
	world.EventuallyRow(t, "quotas", "user", map[string]string{"Guaranteed": "12", "Used": "0"})

	occupy(t, "user", "one", "given", "given-0")
	world.EventuallyRow(t, "quotas", "user", map[string]string{"Guaranteed": "12", "Used": "8", "Borrowed": "0", "Lent": "0"})
	occupy(t, "user", "two", "given", "given-1")
	occupy(t, "user", "elsewhere", "free-for-all", "free-for-all-0")
	world.EventuallyRow(t, "quotas", "user", map[string]string{"Used": "16", "Borrowed": "4"})
	world.EventuallyRow(t, "quotas", "lender", map[string]string{"Used": "0", "Lent": "4"})

	world.Eventually(t, "the quota tells of what it names alone", func(ctx context.Context) string {
		var q v1alpha1.Quota
		if err := world.Client.Get(ctx, client.ObjectKey{Name: "user"}, &q); err != nil {
			return err.Error()
		}
		return cmp.Diff([]v1alpha1.ResourceUsage{{
			Pool: "given", Resource: gpu, Guaranteed: resource.MustParse("12"), Limit: &limit,
			Used: resource.MustParse("16"), Borrowed: resource.MustParse("4"),
		}}, q.Status.Resources)
	})
}
