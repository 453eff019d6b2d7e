package ledger

import (
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// How a gang that never got ready by its own fault is kept back: from backoffFirst, doubling up to backoffMost.
const (
	backoffFirst = time.Minute
	backoffMost  = time.Hour
	// faultPause keeps a gang back that something else than itself stopped before it was ready, so that it does not try the
	// same node over and over.
	faultPause = 10 * time.Second
	// keptEvictions is how many evictions are remembered; more within an hour lengthen nothing.
	keptEvictions = 8
)

// RuleNotReady is the rule by which a gang leaves whose pods were not all Ready in time.
const RuleNotReady = "NotReady"

// Notice tells a gang to leave its berth by a deadline.
func Notice(g *v1alpha1.GangJob, byUID, rule, message string, now, deadline time.Time) {
	s := &g.Status
	s.Preemption = &v1alpha1.PreemptionStatus{
		ByUID: byUID, Rule: rule, NoticeTime: *Stamp(now), Deadline: *Stamp(deadline),
	}
	reason := noticeReason(rule)
	set(g, v1alpha1.ConditionPreempting, true, reason, message)
	settle(g, reason, message)
}

// GoOn notes in which slot a gang goes on that was told to leave its own.
func GoOn(g *v1alpha1.GangJob, slot engine.Slot) {
	g.Status.Preemption.Next = translate.Assignment(slot)
}

// Shrink tells the pods that a gang has beyond a slot to leave. The gang runs on.
func Shrink(g *v1alpha1.GangJob, byUID, rule string, slot engine.Slot, now, deadline time.Time) {
	g.Status.Preemption = &v1alpha1.PreemptionStatus{
		ByUID: byUID, Rule: rule, NoticeTime: *Stamp(now), Deadline: *Stamp(deadline), Signaled: true,
		Next: translate.Assignment(slot), Part: true,
	}
}

// Shrinking tells whether a part of a gang was told to leave and has not left yet.
func Shrinking(g *v1alpha1.GangJob) bool {
	return g.Status.Preemption != nil && g.Status.Preemption.Part
}

// Shrunk makes what a gang has kept its slot.
func Shrunk(g *v1alpha1.GangJob) {
	g.Status.Assignment, g.Status.Preemption = g.Status.Preemption.Next, nil
	settle(g, g.Status.Reason, g.Status.Message)
}

// Spare takes a notice back.
func Spare(g *v1alpha1.GangJob) {
	g.Status.Preemption = nil
	set(g, v1alpha1.ConditionPreempting, false, v1alpha1.ReasonRunning, "")
	settle(g, v1alpha1.ReasonRunning, "no longer asked to leave")
}

// CallOff takes a move back that a gang has not saved its work for in time.
func CallOff(g *v1alpha1.GangJob, now time.Time) {
	history(g).MoveRefusedAt = Stamp(now)
	Spare(g)
}

// Signaled notes that a gang's pods were told to save and stop; from now on it is not spared.
func Signaled(g *v1alpha1.GangJob) { g.Status.Preemption.Signaled = true }

// noticeReason is the reason of a notice by its rule.
func noticeReason(rule string) string {
	switch rule {
	case v1alpha1.RuleRestart:
		return v1alpha1.ReasonRestarting
	case RuleNotReady:
		return v1alpha1.ReasonPodsReadyTimeout
	case v1alpha1.RuleSuspend:
		return v1alpha1.ReasonSuspended
	case v1alpha1.RuleMaxRuntime:
		return v1alpha1.ReasonMaxRuntimeExceeded
	case engine.ByDrain.String():
		return v1alpha1.ReasonDrained
	case engine.ByMove.String():
		return v1alpha1.ReasonMoved
	case engine.ByFault.String():
		return v1alpha1.ReasonNodeFault
	default:
		return v1alpha1.ReasonEvicted
	}
}

// PutBack returns a gang to its team's order once its pods are gone. What it counts depends on why it left.
func PutBack(g *v1alpha1.GangJob, pods int32, now time.Time) {
	s := &g.Status
	rule := s.Preemption.Rule
	h := history(g)
	ready := h.StartTime != nil
	everReady := ready || h.UsedRuntime.Duration > 0 || s.Preemptions > 0
	if h.StartTime != nil {
		h.UsedRuntime.Duration += kept(g, rule, now)
		h.StartTime = nil
	}
	switch rule {
	case engine.ByTier.String(), engine.ByReclaim.String(), engine.ByFairness.String(), engine.ByPromise.String():
		s.Preemptions++
		h.Evictions = append(h.Evictions, *Stamp(now))
		h.Evictions = h.Evictions[max(0, len(h.Evictions)-keptEvictions):]
	case engine.ByMove.String():
		s.Preemptions++
		h.MovedAt = Stamp(now)
	case engine.ByFault.String():
		if !ready {
			h.BackoffUntil = Stamp(now.Add(faultPause))
		}
	case v1alpha1.RuleRestart:
		s.Restarts++
		if !everReady {
			holdBack(h, now)
		}
	case RuleNotReady:
		if everReady {
			h.BackoffUntil = Stamp(now.Add(faultPause))
		} else {
			holdBack(h, now)
		}
	case v1alpha1.RuleSuspend:
		s.QueuedTime = nil // set anew when it is let go
	}
	s.ReadyPods = Ready(0, pods)
	vacate(g)
	reason := noticeReason(rule)
	set(g, v1alpha1.ConditionPodsReady, false, v1alpha1.ReasonPodsNotReady, "")
	set(g, v1alpha1.ConditionPreempting, false, reason, "has left its berth")
	settle(g, "", "has left its berth and waits again")
}

// holdBack keeps a gang from being considered for a while that has failed by itself and never been ready.
func holdBack(h *v1alpha1.GangHistory, now time.Time) {
	wait := backoffMost
	if h.PutBacks < 6 {
		wait = min(backoffFirst<<h.PutBacks, backoffMost)
	}
	h.PutBacks++
	h.BackoffUntil = Stamp(now.Add(wait))
}

// kept is how much of the running time of an attempt counts towards maxRuntime: all of it, less the work that was lost to
// a preemption or fault.
func kept(g *v1alpha1.GangJob, rule string, now time.Time) time.Duration {
	h := g.Status.History
	until := now
	switch rule {
	case v1alpha1.RuleRestart, v1alpha1.RuleMaxRuntime, v1alpha1.RuleSuspend:
	default:
		until = saved(g)
	}
	return max(0, until.Sub(h.StartTime.Time))
}

// saved is when a gang that is leaving saved its work last: the latest acknowledgement or, where it saves while it is
// stopped, the notice.
func saved(g *v1alpha1.GangJob) time.Time {
	var at time.Time
	if c := g.Status.Checkpoints; c != nil && c.LastAckTime != nil {
		at = c.LastAckTime.Time
	}
	if g.Spec.Checkpoint != nil && g.Status.Preemption.Rule != engine.ByFault.String() &&
		g.Status.Preemption.NoticeTime.After(at) && savesOnStop(g.Spec.Checkpoint) {
		at = g.Status.Preemption.NoticeTime.Time
	}
	return at
}

func savesOnStop(c *v1alpha1.CheckpointSpec) bool {
	return c.HTTP == nil && (c.Signal == "" || c.Signal == v1alpha1.SignalTERM)
}

// Leaving tells whether a gang was told to leave and has not left yet.
func Leaving(g *v1alpha1.GangJob) bool {
	return g.Status.Preemption != nil && conditions.Holds(g.Status.Conditions, v1alpha1.ConditionPreempting)
}

// Replace gives a gang whose berth a fault has broken another slot, for a new attempt. Neither a restart nor a preemption is
// counted.
func Replace(g *v1alpha1.GangJob, team string, slot engine.Slot, now time.Time) {
	h := history(g)
	if h.StartTime != nil {
		g.Status.Preemption = &v1alpha1.PreemptionStatus{Rule: engine.ByFault.String(), NoticeTime: *Stamp(now)}
		h.UsedRuntime.Duration += kept(g, engine.ByFault.String(), now)
		h.StartTime = nil
	}
	g.Status.Preemption = nil
	set(g, v1alpha1.ConditionPreempting, false, v1alpha1.ReasonNodeFault, "goes on in another slot")
	Reserve(g, team, slot, now)
}
