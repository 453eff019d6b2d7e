package translate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// record reads what a gang's status says of it.
func record(g *engine.Gang, job *v1alpha1.GangJob, nameOf func(uid string) string) {
	status := &job.Status
	g.Queued = Instant(status.QueuedTime)
	if g.Queued == 0 {
		g.Queued = Instant(&job.CreationTimestamp)
	}
	if h := status.History; h != nil {
		g.NotBefore, g.FreeOnly, g.Ran = Instant(h.BackoffUntil), h.PutBacks > 0, int64(h.UsedRuntime.Duration)
		g.LastMove, g.MoveRefused, g.PromiseRefused = Instant(h.MovedAt), Instant(h.MoveRefusedAt), Instant(h.PromiseLapsedAt)
		for i := range h.Evictions {
			g.Evictions = append(g.Evictions, Instant(&h.Evictions[i]))
		}
		for _, p := range h.Headed {
			g.Heading = max(g.Heading, int64(p.Before.Duration))
			if since := Instant(p.Since); since != 0 && (g.HeadSince == 0 || since < g.HeadSince) {
				g.HeadSince = since
			}
		}
	}
	g.Berth = berth(status, nameOf)
	if g.Berth != nil {
		onward(g, status.Preemption)
	}
	if c := status.Checkpoints; c != nil && c.LastAckTime != nil {
		g.Published = true
		if at := Instant(c.LastAckTime); g.Berth != nil && at >= g.Berth.Started {
			g.LastCheckpoint = at
		}
	}
}

func berth(status *v1alpha1.GangJobStatus, nameOf func(uid string) string) *engine.Berth {
	if status.Berth == nil || status.Assignment == nil {
		return nil
	}
	slot, err := Slot(status.Assignment)
	if err != nil {
		return nil // as good as lost; what runs is found again by its pods
	}
	b := &engine.Berth{
		State: berthState(status.Berth.State), Attempt: int(status.Berth.Attempt), Slot: slot,
		Since: Instant(status.Berth.PlannedAt), NotBefore: Instant(status.Berth.NotBefore),
	}
	for _, v := range status.Berth.Victims {
		if id := nameOf(v.UID); id != "" {
			b.Victims = append(b.Victims, engine.Victim{Gang: id, Attempt: int(v.Attempt), Part: v.Part})
		}
	}
	if status.Berth.BasisUID != "" {
		b.Basis = nameOf(status.Berth.BasisUID)
	}
	if b.State == engine.Occupied {
		b.Started = b.Since // until all pods are Ready
		if h := status.History; h != nil && h.StartTime != nil {
			b.Started = Instant(h.StartTime)
		}
	}
	if p := status.Preemption; p != nil {
		b.Leaving = &engine.Leaving{
			Rule: Rule(p.Rule), Notice: Instant(&p.NoticeTime), Deadline: Instant(&p.Deadline), Signaled: p.Signaled,
		}
		if p.ByUID != "" {
			b.Leaving.For = nameOf(p.ByUID)
		}
	}
	return b
}

// onward reads where a gang goes on that was told to leave its slot, or a part of it.
func onward(g *engine.Gang, p *v1alpha1.PreemptionStatus) {
	if p == nil || p.Next == nil {
		return
	}
	slot, err := Slot(p.Next)
	switch {
	case err != nil: // it goes back to its team's order
	case p.Part:
		g.Berth.Leaving.Keep = &slot
	default:
		g.Next = &engine.Berth{State: engine.Planned, Slot: slot, Since: Instant(&p.NoticeTime)}
	}
}

func berthState(s v1alpha1.BerthState) engine.BerthState {
	switch s {
	case v1alpha1.BerthFuture:
		return engine.Future
	case v1alpha1.BerthPlanned:
		return engine.Planned
	case v1alpha1.BerthReserved:
		return engine.Reserved
	default:
		return engine.Occupied
	}
}

// BerthState is a berth's state in the words of the API.
func BerthState(s engine.BerthState) v1alpha1.BerthState { return v1alpha1.BerthState(s.String()) }

// Rule is the rule of a preemption; those that the engine does not know are causes of its own to it: a drain.
func Rule(name string) engine.Rule {
	for rule := engine.ByTier; rule <= engine.ByDrain; rule++ {
		if rule.String() == name {
			return rule
		}
	}
	return engine.ByDrain
}

// Instant converts a time; one that is absent or zero is never.
func Instant(t *metav1.Time) engine.Time {
	if t == nil || t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Time converts an instant; never is absent.
func Time(t engine.Time) *metav1.Time {
	if t == 0 {
		return nil
	}
	at := metav1.Unix(0, t)
	return &at
}
