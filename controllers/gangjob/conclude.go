package gangjob

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/patch"
)

// progressInterval is how often the mere progress of a gang's pods is written.
const progressInterval = 2 * time.Second

// conclude writes the status, unless only progress has changed that can wait, and records what happened once that is
// written.
func (r *Reconciler) conclude(ctx context.Context, s *scope) (ctrl.Result, error) {
	if equality.Semantic.DeepEqual(s.job.Status, s.next.Status) {
		return ctrl.Result{RequeueAfter: s.again}, nil
	}
	if s.soft && s.next.Status.Phase == s.job.Status.Phase {
		if wait := r.pace(s.job.UID, s.now); wait > 0 {
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

// pace returns how long the progress of a gang must wait to be written, and notes the time if it need not.
func (r *Reconciler) pace(uid types.UID, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.written[uid]; ok {
		if wait := last.Add(progressInterval).Sub(now); wait > 0 {
			return wait
		}
	}
	r.written[uid] = now
	return 0
}

// pause begins a gang's interval of progress without writing any.
func (r *Reconciler) pause(uid types.UID, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written[uid] = now
}

// forget drops what is kept of a gang that has ended.
func (r *Reconciler) forget(uid types.UID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written, uid)
}
