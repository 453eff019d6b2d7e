package gangjob

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/patch"
)

// conclude writes the status, unless only progress has changed that can wait, and records what happened once that is
// written.
func (r *Reconciler) conclude(ctx context.Context, s *scope) (ctrl.Result, error) {
	if equality.Semantic.DeepEqual(s.job.Status, s.next.Status) {
		return ctrl.Result{RequeueAfter: s.again}, nil
	}
	if s.soft && s.next.Status.Phase == s.job.Status.Phase {
		if wait := r.memory.pace(client.ObjectKeyFromObject(s.job), s.now); wait > 0 {
			s.within(wait)
			return ctrl.Result{RequeueAfter: s.again}, nil
		}
	}
	_, err := patch.Status(ctx, r.Client, r.State, s.job, func(g *v1alpha1.GangJob) { g.Status = s.next.Status })
	if patch.Outdated(err) {
		return ctrl.Result{}, nil // the watch brings what is newer
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, e := range s.events {
		events.Record(r.Recorder, s.job, e)
	}
	return ctrl.Result{RequeueAfter: s.again}, nil
}
