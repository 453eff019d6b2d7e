package ledger

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Queue takes a gang up that was never looked at, or that its user has let go: it waits from now on. Accelerators is how
// many it asks for, pods how many pods it has.
func Queue(g *v1alpha1.GangJob, now time.Time, accelerators resource.Quantity, pods int32) {
	s := &g.Status
	s.QueuedTime = Stamp(now)
	s.Accelerators = accelerators
	s.ReadyPods = Ready(0, pods)
	if len(s.Conditions) == 0 {
		set(g, v1alpha1.ConditionReserved, false, v1alpha1.ReasonNoSlot, "")
		set(g, v1alpha1.ConditionAdmitted, false, v1alpha1.ReasonWaiting, "")
		set(g, v1alpha1.ConditionFinished, false, v1alpha1.ReasonNotFinished, "")
	}
	settle(g, s.Reason, s.Message)
}

// Wait says why a gang waits, for which team, and when it is expected to start. It reports whether that changed anything.
func Wait(g *v1alpha1.GangJob, team, reason, message string, eta *metav1.Time) bool {
	s := &g.Status
	before := s.DeepCopy()
	if eta != nil {
		eta = Stamp(eta.Time)
	}
	s.Team, s.ETA = team, eta
	settle(g, reason, message)
	return before.Team != s.Team || before.Reason != s.Reason || before.Message != s.Message || !before.ETA.Equal(s.ETA) ||
		before.Phase != s.Phase
}

// Head notes since when a gang heads its team's order in a pool; a nil time that it no longer does.
func Head(g *v1alpha1.GangJob, pool string, since *metav1.Time, now time.Time) {
	h := history(g)
	for i := range h.Headed {
		p := &h.Headed[i]
		if p.Since != nil && (p.Pool == pool || since == nil) {
			p.Before.Duration += now.Sub(p.Since.Time)
			p.Since = nil
		}
		if p.Pool == pool && since != nil {
			p.Since = since
			return
		}
	}
	if since != nil {
		h.Headed = append(h.Headed, v1alpha1.HeadedPool{Pool: pool, Since: since})
	}
}

// Ready writes how many pods of how many are Ready or have succeeded.
func Ready(ready, pods int32) string { return fmt.Sprintf("%d/%d", ready, pods) }

// Stamp is an instant as a status holds it: to the second.
func Stamp(t time.Time) *metav1.Time {
	at := metav1.NewTime(t).Rfc3339Copy()
	return &at
}
