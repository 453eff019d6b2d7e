package ledger

import (
	"fmt"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// Occupy notes that the pods of a gang's reservation were let go.
func Occupy(g *v1alpha1.GangJob) {
	if b := g.Status.Berth; b != nil && b.State == v1alpha1.BerthReserved {
		b.State = v1alpha1.BerthOccupied
	}
}

// Rebuild writes down the berth of a gang whose status was lost while its pods ran.
func Rebuild(g *v1alpha1.GangJob, team string, berth *engine.Berth, now time.Time) {
	s := &g.Status
	s.Attempts = max(s.Attempts, int32(berth.Attempt))
	s.Team = team
	s.Berth = &v1alpha1.BerthStatus{State: v1alpha1.BerthOccupied, Attempt: int32(berth.Attempt), PlannedAt: Stamp(now)}
	s.Assignment = translate.Assignment(berth.Slot)
	set(g, v1alpha1.ConditionReserved, true, v1alpha1.ReasonSlotHeld, describe(s.Assignment))
	set(g, v1alpha1.ConditionAdmitted, true, v1alpha1.ReasonAdmitted, "")
	settle(g, v1alpha1.ReasonAdmitted, describe(s.Assignment))
}

// Pods notes how many of a gang's pods are Ready or have succeeded. When all are for the first time in an attempt, the
// gang runs.
func Pods(g *v1alpha1.GangJob, ready, pods int32, now time.Time) {
	s := &g.Status
	s.ReadyPods = Ready(ready, pods)
	if ready < pods {
		set(g, v1alpha1.ConditionPodsReady, false, v1alpha1.ReasonPodsNotReady, fmt.Sprintf("%d of %d pods", ready, pods))
		return
	}
	set(g, v1alpha1.ConditionPodsReady, true, v1alpha1.ReasonAllReady, "")
	Occupy(g)
	h := history(g)
	if h.StartTime != nil {
		return
	}
	h.StartTime = Stamp(now)
	h.PutBacks, h.BackoffUntil = 0, nil
	if !conditions.Holds(s.Conditions, v1alpha1.ConditionPreempting) {
		settle(g, v1alpha1.ReasonRunning, s.Message)
	}
}

// Succeed ends a gang well.
func Succeed(g *v1alpha1.GangJob, now time.Time) {
	g.Status.Succeeded = 1
	finish(g, v1alpha1.ReasonSucceeded, "the roles of its successPolicy have succeeded", now)
}

// Fail ends a gang badly.
func Fail(g *v1alpha1.GangJob, reason, message string, now time.Time) {
	g.Status.Failed = 1
	finish(g, reason, message, now)
}

// finish ends a gang for good. Its assignment stays, to be read; its berth is given back.
func finish(g *v1alpha1.GangJob, reason, message string, now time.Time) {
	s := &g.Status
	h := history(g)
	if h.StartTime != nil {
		h.UsedRuntime.Duration += now.Sub(h.StartTime.Time)
	}
	h.EndTime = Stamp(now)
	s.Berth, s.Preemption, s.ETA = nil, nil, nil
	set(g, v1alpha1.ConditionReserved, false, v1alpha1.ReasonNoSlot, "")
	set(g, v1alpha1.ConditionPreempting, false, reason, "")
	set(g, v1alpha1.ConditionFinished, true, reason, message)
	settle(g, reason, message)
}
