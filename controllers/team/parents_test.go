package team_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcontrol"
)

func TestAnUnknownParentIsNamedUntilItIsThere(t *testing.T) {
	t.Parallel()
	world.Create(t, newTeam("child", under("not-yet")))
	eventually(t, "child", v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonUnknownParent,
		`parent "not-yet" does not exist; the team counts as a root until it does`)
	eventually(t, "child", v1alpha1.ConditionParentCycle, metav1.ConditionFalse, v1alpha1.ReasonNoCycle, "")
	world.Create(t, newTeam("not-yet"))
	eventually(t, "child", v1alpha1.ConditionActive, metav1.ConditionTrue, v1alpha1.ReasonReady, "")
}

func TestTeamsOnACycleOfParentsSaySoUntilItIsBroken(t *testing.T) {
	t.Parallel()
	// No webhook stands before this server, as when it is down; the parents come in an order that hides the circle.
	first := newTeam("first", under("second"))
	world.Create(t, first, newTeam("second", under("third")), newTeam("third", under("first")), newTeam("below", under("third")))
	for _, name := range []string{"first", "second", "third", "below"} {
		message := fmt.Sprintf("the parents of team %s lead in a circle; nothing is admitted on it until one of them drops spec.parent", name)
		eventually(t, name, v1alpha1.ConditionParentCycle, metav1.ConditionTrue, v1alpha1.ReasonParentCycle, message)
		eventually(t, name, v1alpha1.ConditionActive, metav1.ConditionFalse, v1alpha1.ReasonParentCycle, message)
	}
	devcontrol.Change(t, &world, first, func(f *v1alpha1.Team) { f.Spec.Parent = "" })
	for _, name := range []string{"first", "second", "third", "below"} {
		eventually(t, name, v1alpha1.ConditionParentCycle, metav1.ConditionFalse, v1alpha1.ReasonNoCycle, "")
		eventually(t, name, v1alpha1.ConditionActive, metav1.ConditionTrue, v1alpha1.ReasonReady, "")
	}
}
