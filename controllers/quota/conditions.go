package quota

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// judge sets the conditions of a quota.
func judge(quota *v1alpha1.Quota, v state.QuotaView) {
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&quota.Status.Conditions, quota.Generation, kind, holds, reason, message)
	}
	var missing []string
	reason := v1alpha1.ReasonReady
	if len(v.UnknownPools) > 0 {
		reason = v1alpha1.ReasonUnknownPool
		missing = append(missing, fmt.Sprintf("no pool is called %s; what is given of it counts as nothing until there is",
			strings.Join(v.UnknownPools, ", nor ")))
	}
	if !v.TeamKnown {
		reason = v1alpha1.ReasonUnknownTeam
		missing = append(missing, fmt.Sprintf("team %s does not exist; the quota counts as nothing until it does", quota.Spec.Team))
	}
	set(v1alpha1.ConditionActive, len(missing) == 0, reason, strings.Join(missing, "; "))

	if len(v.Over) == 0 {
		set(v1alpha1.ConditionOvercommitted, false, v1alpha1.ReasonWithinCapacity, "")
		return
	}
	over := make([]string, 0, len(v.Over))
	for _, o := range v.Over {
		over = append(over, tooMuch(o))
	}
	set(v1alpha1.ConditionOvercommitted, true, v1alpha1.ReasonAboveCapacity, strings.Join(over, "; "))
}

// tooMuch says of how much there is how much is guaranteed, and what of it counts.
func tooMuch(o state.Overcommitment) string {
	guaranteed, capacity := translate.FromMilli(o.Guaranteed), translate.FromMilli(o.Capacity)
	return fmt.Sprintf("pool %s holds %s %s, and teams are guaranteed %s in all: of each guarantee %.1f %% counts", o.Pool,
		capacity.String(), o.Resource, guaranteed.String(), 100*float64(o.Capacity)/float64(o.Guaranteed))
}
