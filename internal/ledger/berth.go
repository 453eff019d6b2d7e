package ledger

import (
	"fmt"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// Reserve gives a gang a slot that is free, for its next attempt. It may start once the reservation has come back by the
// watch.
func Reserve(g *v1alpha1.GangJob, team string, slot engine.Slot, now time.Time) {
	s := &g.Status
	attempt := s.Attempts + 1
	s.Attempts = attempt
	s.Team = team
	s.ETA = nil
	s.Berth = &v1alpha1.BerthStatus{State: v1alpha1.BerthReserved, Attempt: attempt, PlannedAt: Stamp(now)}
	s.Assignment = translate.Assignment(slot)
	where := describe(s.Assignment)
	set(g, v1alpha1.ConditionReserved, true, v1alpha1.ReasonSlotHeld, where)
	set(g, v1alpha1.ConditionAdmitted, true, v1alpha1.ReasonAdmitted, "")
	set(g, v1alpha1.ConditionPodsReady, false, v1alpha1.ReasonPodsNotReady, "")
	if s.History != nil {
		s.History.Headed = nil // when it waits again, it heads its team's order anew
	}
	settle(g, v1alpha1.ReasonAdmitted, where)
}

// Plan holds a slot for a gang until its victims have left.
func Plan(g *v1alpha1.GangJob, team string, slot engine.Slot, victims []v1alpha1.BerthVictim, now time.Time) {
	s := &g.Status
	s.Team = team
	s.Berth = &v1alpha1.BerthStatus{State: v1alpha1.BerthPlanned, Attempt: s.Attempts + 1, PlannedAt: Stamp(now), Victims: victims}
	s.Assignment = translate.Assignment(slot)
	message := fmt.Sprintf("waits for %d gangs to leave %s", len(victims), describe(s.Assignment))
	if len(victims) == 1 {
		message = fmt.Sprintf("waits for 1 gang to leave %s", describe(s.Assignment))
	}
	set(g, v1alpha1.ConditionReserved, true, v1alpha1.ReasonWaitingForVictims, message)
	unhead(g, now)
	settle(g, v1alpha1.ReasonWaitingForVictims, message)
}

// Promise holds a slot for a gang from an instant on, when the gang of a UID ends; empty: nobody in particular.
func Promise(g *v1alpha1.GangJob, team string, slot engine.Slot, at engine.Time, basisUID string, now time.Time) {
	s := &g.Status
	s.Team = team
	s.Berth = &v1alpha1.BerthStatus{
		State: v1alpha1.BerthFuture, Attempt: s.Attempts + 1, PlannedAt: Stamp(now), NotBefore: Stamp(time.Unix(0, at)),
		BasisUID: basisUID,
	}
	s.Assignment = translate.Assignment(slot)
	s.ETA = s.Berth.NotBefore
	settle(g, v1alpha1.ReasonSlotReserved, "a slot is kept for it: "+describe(s.Assignment))
}

// Withdraw takes back a berth that no pod has ever been in. A gang that was let into it waits again.
func Withdraw(g *v1alpha1.GangJob, message string) {
	s := &g.Status
	if s.Berth != nil && s.Berth.State == v1alpha1.BerthReserved {
		s.Attempts = s.Berth.Attempt - 1 // its Jobs were never released, and serve the next reservation
	}
	vacate(g)
	settle(g, v1alpha1.ReasonNoCoherentSlot, message)
}

// Lapse takes back a promise that has kept too much idle. None is made again for a day.
func Lapse(g *v1alpha1.GangJob, now time.Time) {
	history(g).PromiseLapsedAt = Stamp(now)
	Withdraw(g, "the slot that was promised to it has been idle for too long; it may be promised one again tomorrow")
}

// Resize changes the slot of a gang that goes on in it.
func Resize(g *v1alpha1.GangJob, slot engine.Slot) {
	g.Status.Assignment = translate.Assignment(slot)
	settle(g, g.Status.Reason, g.Status.Message)
}

// vacate leaves a gang without a berth.
func vacate(g *v1alpha1.GangJob) {
	s := &g.Status
	s.Berth, s.Assignment, s.Preemption, s.Communication, s.ETA = nil, nil, nil, nil, nil
	set(g, v1alpha1.ConditionReserved, false, v1alpha1.ReasonNoSlot, "")
	set(g, v1alpha1.ConditionAdmitted, false, v1alpha1.ReasonWaiting, "")
}

// unhead ends a gang's time at the head of its team's order.
func unhead(g *v1alpha1.GangJob, now time.Time) {
	if g.Status.History != nil && len(g.Status.History.Headed) > 0 {
		Head(g, "", nil, now)
	}
}

// describe says where a slot is.
func describe(a *v1alpha1.Assignment) string {
	if a.Domain == "" {
		return "pool " + a.Pool
	}
	return fmt.Sprintf("%s %s of pool %s", a.Level, a.Domain, a.Pool)
}
