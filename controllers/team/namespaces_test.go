package team_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcontrol"
)

func TestATeamHasTheNamespacesThatItNamesAndSelects(t *testing.T) {
	t.Parallel()
	world.Create(t, newNamespace("named", nil), newNamespace("selected", map[string]string{"team": "owner"}),
		newNamespace("other", map[string]string{"team": "stranger"}))
	owner := newTeam("owner", has("named", "absent"), func(s *v1alpha1.TeamSpec) {
		s.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "owner"}}
	})
	world.Create(t, owner)
	eventuallyHas(t, "owner", "named", "selected")
	world.EventuallyRow(t, "teams", "owner", map[string]string{"Namespaces": `["named","selected"]`})

	world.Create(t, newNamespace("absent", nil))
	eventuallyHas(t, "owner", "absent", "named", "selected")

	devcontrol.Change(t, &world, owner, func(o *v1alpha1.Team) { o.Spec.NamespaceSelector = nil })
	eventuallyHas(t, "owner", "absent", "named")
}

func TestWhoHasANamespaceKeepsItUntilItLetsGo(t *testing.T) {
	t.Parallel()
	world.Create(t, newNamespace("wanted", nil), newNamespace("a-own", nil))
	// The one that comes to want it is older, and before the other by name.
	rival, holder := newTeam("a-rival", has("a-own")), newTeam("holder", has("wanted"))
	world.Create(t, rival, holder)
	eventuallyHas(t, "holder", "wanted")
	eventually(t, "holder", v1alpha1.ConditionNamespaceConflict, metav1.ConditionFalse, v1alpha1.ReasonNoConflict, "")

	devcontrol.Change(t, &world, rival, func(r *v1alpha1.Team) { r.Spec.Namespaces = []string{"a-own", "wanted"} })
	eventually(t, "a-rival", v1alpha1.ConditionNamespaceConflict, metav1.ConditionTrue, v1alpha1.ReasonOtherTeam,
		"namespace wanted belongs to team holder")
	eventuallyHas(t, "a-rival", "a-own")
	eventuallyHas(t, "holder", "wanted")

	devcontrol.Change(t, &world, holder, func(h *v1alpha1.Team) { h.Spec.Namespaces = nil })
	eventuallyHas(t, "a-rival", "a-own", "wanted")
	eventually(t, "a-rival", v1alpha1.ConditionNamespaceConflict, metav1.ConditionFalse, v1alpha1.ReasonNoConflict, "")
	eventuallyHas(t, "holder")
}
