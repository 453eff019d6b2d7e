package gangjob

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/translate"
)

// limit tells a gang that its maxRuntime is about to be over, so early that its pods are gone when it is.
func (r *Reconciler) limit(_ context.Context, s *scope) error {
	h := s.next.Status.History
	if h == nil || h.StartTime == nil || ledger.Leaving(s.next) {
		return nil
	}
	grace := translate.Grace(&s.job.Spec)
	notice, end, ok := lastCall(h, r.State.MaxRuntime(client.ObjectKeyFromObject(s.job)), grace)
	if !ok {
		return nil
	}
	if left := notice.Sub(s.now); left > 0 {
		s.within(left)
		return nil
	}
	if by := r.deadline(s); end.Before(by) { // told late
		end = by
	}
	s.soft = false
	message := "told to leave: its maxRuntime is over at " + end.UTC().Format(time.RFC3339)
	ledger.Notice(s.next, "", v1alpha1.RuleMaxRuntime, message, s.now, end)
	s.events = append(s.events, events.Preempting(message, end.UTC().Format(time.RFC3339)))
	return nil
}

// lastCall returns when the running time of a gang is over, and when it is told: a grace period before. It reports false
// where there is no end, or so near a one that the grace would be most of it: then the gang is told when it is over.
func lastCall(h *v1alpha1.GangHistory, most, grace time.Duration) (notice, end time.Time, ok bool) {
	if most == 0 || 2*grace > most {
		return notice, end, false
	}
	end = h.StartTime.Add(max(most-h.UsedRuntime.Duration, 0))
	return end.Add(-grace), end, true
}
