package quota_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func TestAQuotaIsActiveOnceItsTeamAndPoolsAreThereInWhateverOrder(t *testing.T) {
	t.Parallel()
	world.Create(t, newQuota("early", entry("early-1", "8"), entry("early-2", "4")))
	eventually(t, "early", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownTeam,
		"no pool is called early-1, nor early-2; what is given of it counts as nothing until there is; "+
			"team early does not exist; the quota counts as nothing until it does")
	world.EventuallyRow(t, "quotas", "early", map[string]string{
		"Active": "False", "Overcommitted": "False", "Guaranteed": "0", "Used": "0", "Borrowed": "0", "Lent": "0",
	})

	world.Create(t, newTeam("early"))
	eventually(t, "early", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownPool,
		"no pool is called early-1, nor early-2; what is given of it counts as nothing until there is")

	world.AddNodes(t, nodes("early-1", "early-1", 1), nodes("early-2", "early-2", 1))
	second := newPool("early-2")
	world.Create(t, newPool("early-1"))
	eventually(t, "early", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownPool,
		"no pool is called early-2; what is given of it counts as nothing until there is")
	world.Create(t, second)
	eventually(t, "early", v1alpha1.ConditionActive, metav1.ConditionTrue, v1alpha1.ReasonReady, "")
	world.EventuallyRow(t, "quotas", "early", map[string]string{
		"Active": "True", "Overcommitted": "False", "Guaranteed": "12",
	})

	if err := world.Client.Delete(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	eventually(t, "early", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownPool,
		"no pool is called early-2; what is given of it counts as nothing until there is")
	world.EventuallyRow(t, "quotas", "early", map[string]string{"Active": "False", "Guaranteed": "8"})
}

func TestAQuotaIsNoLongerActiveOnceItsTeamIsGone(t *testing.T) {
	t.Parallel()
	world.Create(t, newPool("left"))
	team := newTeam("left")
	world.Create(t, team, newQuota("left", entry("left", "0")))
	eventually(t, "left", v1alpha1.ConditionActive, metav1.ConditionTrue, v1alpha1.ReasonReady, "")
	if err := world.Client.Delete(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	eventually(t, "left", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownTeam,
		"team left does not exist; the quota counts as nothing until it does")
}
