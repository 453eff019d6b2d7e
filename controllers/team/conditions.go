package team

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/state"
)

// judge sets the conditions of a team.
func judge(team *v1alpha1.Team, v state.TeamView) {
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&team.Status.Conditions, team.Generation, kind, holds, reason, message)
	}
	switch {
	case v.Cycle:
		message := fmt.Sprintf("the parents of team %s lead in a circle; nothing is admitted on it until one of them drops spec.parent",
			team.Name)
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonParentCycle, message)
		set(v1alpha1.ConditionParentCycle, true, v1alpha1.ReasonParentCycle, message)
	case !v.ParentKnown:
		message := fmt.Sprintf("parent %q does not exist; the team counts as a root until it does", team.Spec.Parent)
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonUnknownParent, message)
		set(v1alpha1.ConditionParentCycle, false, v1alpha1.ReasonNoCycle, "")
	default:
		set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, "")
		set(v1alpha1.ConditionParentCycle, false, v1alpha1.ReasonNoCycle, "")
	}
	if len(v.Conflicts) == 0 {
		set(v1alpha1.ConditionNamespaceConflict, false, v1alpha1.ReasonNoConflict, "")
		return
	}
	var taken []string
	for _, namespace := range slices.Sorted(maps.Keys(v.Conflicts)) {
		taken = append(taken, fmt.Sprintf("namespace %s belongs to team %s", namespace, v.Conflicts[namespace]))
	}
	set(v1alpha1.ConditionNamespaceConflict, true, v1alpha1.ReasonOtherTeam, strings.Join(taken, "; "))
}
