package quota_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcontrol"
)

func TestGuaranteesAboveWhatThereIsAreSaidAndScaled(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("over", "over", 2))
	world.Create(t, newPool("over"), newTeam("over-a"), newTeam("over-b"), newTeam("over-none"))
	second := newQuota("over-b", entry("over", "16"))
	world.Create(t, newQuota("over-a", entry("over", "24")), second, newQuota("over-none", entry("over", "0")))
	for name, counts := range map[string]string{"over-a": "9600m", "over-b": "6400m"} {
		eventually(t, name, v1alpha1.ConditionOvercommitted, metav1.ConditionTrue, v1alpha1.ReasonAboveCapacity,
			"pool over holds 16 nvidia.com/gpu, and teams are guaranteed 40 in all: of each guarantee 40.0 % counts")
		world.EventuallyRow(t, "quotas", name, map[string]string{"Active": "True", "Overcommitted": "True", "Guaranteed": counts})
	}
	// Nothing was promised to this one that could be cut.
	eventually(t, "over-none", v1alpha1.ConditionOvercommitted, metav1.ConditionFalse, v1alpha1.ReasonWithinCapacity, "")

	devcontrol.Change(t, &world, second, func(q *v1alpha1.Quota) { q.Spec.Resources[0].Guaranteed = resource.MustParse("0") })
	eventually(t, "over-a", v1alpha1.ConditionOvercommitted, metav1.ConditionTrue, v1alpha1.ReasonAboveCapacity,
		"pool over holds 16 nvidia.com/gpu, and teams are guaranteed 24 in all: of each guarantee 66.7 % counts")
	eventually(t, "over-b", v1alpha1.ConditionOvercommitted, metav1.ConditionFalse, v1alpha1.ReasonWithinCapacity, "")

	world.AddNodes(t, nodes("over", "over-more", 1))
	eventually(t, "over-a", v1alpha1.ConditionOvercommitted, metav1.ConditionFalse, v1alpha1.ReasonWithinCapacity, "")
	world.EventuallyRow(t, "quotas", "over-a", map[string]string{"Overcommitted": "False", "Guaranteed": "24"})
}

func TestAFlappingNodeChangesNoRight(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("flap", "flap", 2))
	world.Create(t, newPool("flap"), newTeam("flap-a"), newTeam("flap-b"), newQuota("flap-a", entry("flap", "8")))
	eventually(t, "flap-a", v1alpha1.ConditionOvercommitted, metav1.ConditionFalse, v1alpha1.ReasonWithinCapacity, "")
	if err := world.Cluster.FailNode(t.Context(), "flap-0"); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "the failure is known", func(context.Context) string {
		if seen.NodeReady("flap-0") {
			return "the node is taken for Ready"
		}
		return ""
	})
	world.Create(t, newQuota("flap-b", entry("flap", "8")))
	eventually(t, "flap-b", v1alpha1.ConditionOvercommitted, metav1.ConditionFalse, v1alpha1.ReasonWithinCapacity, "")
	world.EventuallyRow(t, "quotas", "flap-b", map[string]string{"Overcommitted": "False", "Guaranteed": "8"})
}
