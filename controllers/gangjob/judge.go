package gangjob

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/children"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/translate"
)

// end looks after a gang that has ended: what still runs is stopped, and in time the gang is deleted.
func (r *Reconciler) end(ctx context.Context, s *scope) error {
	if !s.job.Status.Phase.Finished() {
		return nil
	}
	s.done = true
	r.memory.forget(client.ObjectKeyFromObject(s.job))
	for _, jobs := range s.jobs {
		if err := children.Stop(ctx, r.Client, jobs); err != nil {
			return err
		}
	}
	ttl := s.job.Spec.TTLSecondsAfterFinished
	if ttl == nil || s.job.Status.History == nil || s.job.Status.History.EndTime == nil {
		return nil
	}
	if left := s.job.Status.History.EndTime.Add(time.Duration(*ttl) * time.Second).Sub(s.now); left > 0 {
		s.within(left)
		return nil
	}
	return client.IgnoreNotFound(r.Client.Delete(ctx, s.job, client.PropagationPolicy(metav1.DeletePropagationBackground),
		client.Preconditions{UID: &s.job.UID}))
}

// leave lets a gang that was told to leave finish if it manages to, and touches it no further.
func (r *Reconciler) leave(_ context.Context, s *scope) error {
	if !ledger.Leaving(s.job) {
		return nil
	}
	s.done = true
	if verdict, _ := children.Outcome(s.job, s.current()); verdict == children.Succeeded {
		r.succeed(s)
	}
	return nil
}

// judge ends the gang, or tells it to start again, when its Jobs say so.
func (r *Reconciler) judge(ctx context.Context, s *scope) error {
	verdict, role := children.Outcome(s.job, s.current())
	switch verdict {
	case children.Going:
		return nil
	case children.Succeeded:
		r.succeed(s)
		return nil
	default:
		return r.failure(ctx, s, verdict, role)
	}
}

// failure ends a gang of which a role failed, or tells it to start again.
func (r *Reconciler) failure(ctx context.Context, s *scope, verdict children.Verdict, role string) error {
	s.done = true
	pods, err := children.Pods(ctx, r.Client, s.job, s.current())
	if err != nil {
		return err
	}
	nodesFault, what := children.Blame(pods)
	what = fmt.Sprintf("role %s: %s", role, what)
	limit := ptr.Deref(s.job.Spec.Restart.MaxRestarts, 3)
	switch {
	case nodesFault:
		ledger.Notice(s.next, "", engine.ByFault.String(), what, s.now, r.deadline(s))
	case verdict == children.FailedForGood:
		r.fail(s, v1alpha1.ReasonPodFailurePolicy, what)
	case s.job.Status.Restarts >= limit:
		r.fail(s, v1alpha1.ReasonRoleFailed, fmt.Sprintf("%s, after %d of %d restarts", what, s.job.Status.Restarts, limit))
	default:
		ledger.Notice(s.next, "", v1alpha1.RuleRestart, what, s.now, r.deadline(s))
		s.events = append(s.events, events.Restarting(what, s.job.Status.Restarts+1, limit))
	}
	return nil
}

// measure says how far the pods are, and puts the gang back if they take too long.
func (r *Reconciler) measure(_ context.Context, s *scope) error {
	ready, pods := children.Progress(s.current())
	ledger.Pods(s.next, ready, pods, s.now)
	s.soft = !s.firm
	if ready == pods {
		if s.next.Status.Phase != s.job.Status.Phase {
			r.estimate(s)
			s.events = append(s.events, events.Running(pods))
		}
		return nil
	}
	ledger.Occupy(s.next)
	if h := s.job.Status.History; h != nil && h.StartTime != nil {
		return nil // it was ready once; what is wrong with a pod shows when it ends
	}
	begun := children.Begun(s.current(), s.job.Status.Berth.PlannedAt.Time, s.now)
	if left := begun.Add(r.PodsReadyTimeout).Sub(s.now); left > 0 {
		s.within(left)
		return nil
	}
	s.soft = false
	message := fmt.Sprintf("%d of %d pods were Ready after %s", ready, pods, r.PodsReadyTimeout)
	ledger.Notice(s.next, "", ledger.RuleNotReady, message, s.now, r.deadline(s))
	s.events = append(s.events, events.PutBack(message))
	return nil
}

// estimate writes down what a step's communication takes in the slot.
func (r *Reconciler) estimate(s *scope) {
	estimate, best := r.State.Communication(translate.GangID(s.job.Namespace, s.job.Name))
	if estimate > 0 {
		s.next.Status.Communication = &v1alpha1.CommunicationStatus{
			Estimate: metav1.Duration{Duration: estimate}, BestPossible: metav1.Duration{Duration: best},
		}
	}
}

func (r *Reconciler) succeed(s *scope) {
	s.done = true
	_, pods := children.Progress(s.current())
	s.next.Status.ReadyPods = ledger.Ready(pods, pods)
	ledger.Succeed(s.next, s.now)
	s.events = append(s.events, events.Succeeded())
}

func (r *Reconciler) fail(s *scope, reason, message string) {
	s.done = true
	s.next.Status.ReadyPods = ledger.Ready(children.Done(s.current())) // the others are stopped
	ledger.Fail(s.next, reason, message, s.now)
	s.events = append(s.events, events.Failed(reason, message))
}

// deadline is until when the gang's pods may take to stop.
func (r *Reconciler) deadline(s *scope) time.Time { return s.now.Add(translate.Grace(&s.job.Spec)) }
