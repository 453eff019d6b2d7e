package ledger

import (
	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
)

// set makes a condition of g True or False.
func set(g *v1alpha1.GangJob, kind string, holds bool, reason, message string) {
	conditions.Set(&g.Status.Conditions, g.Generation, kind, holds, reason, message)
}

// settle derives what follows from the conditions: the phase, and, unless the gang waits, why.
func settle(g *v1alpha1.GangJob, reason, message string) {
	s := &g.Status
	s.ObservedGeneration = g.Generation
	s.Phase = phase(s)
	s.Reason, s.Message = reason, conditions.Truncate(message)
}

// phase sums the conditions up.
func phase(s *v1alpha1.GangJobStatus) v1alpha1.Phase {
	switch {
	case conditions.Holds(s.Conditions, v1alpha1.ConditionFinished) && s.Succeeded > 0:
		return v1alpha1.PhaseSucceeded
	case conditions.Holds(s.Conditions, v1alpha1.ConditionFinished):
		return v1alpha1.PhaseFailed
	case conditions.Holds(s.Conditions, v1alpha1.ConditionPreempting):
		return v1alpha1.PhasePreempting
	case !conditions.Holds(s.Conditions, v1alpha1.ConditionAdmitted):
		return v1alpha1.PhasePending
	case s.History != nil && s.History.StartTime != nil:
		return v1alpha1.PhaseRunning
	default:
		return v1alpha1.PhaseAdmitted
	}
}

// history returns the records of g, made where there are none.
func history(g *v1alpha1.GangJob) *v1alpha1.GangHistory {
	if g.Status.History == nil {
		g.Status.History = &v1alpha1.GangHistory{}
	}
	return g.Status.History
}
