package gangjob

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/patch"
)

// queue takes up a gang that is new, or that its user has let go. That is written before anything is made for it: once it
// has its Jobs, others write its status too.
func (r *Reconciler) queue(_ context.Context, s *scope) error {
	held := s.job.Spec.Suspend || len(s.job.Spec.Gates) > 0
	known := s.job.Status.Phase != ""
	switch {
	case known && s.job.Status.Phase != v1alpha1.PhasePending:
	case known && held:
		s.next.Status.QueuedTime = nil // set when it is let go
	case s.job.Status.QueuedTime == nil:
		ledger.Queue(s.next, s.now, r.State.Asks(s.job), gang.Pods(s.job))
		if held {
			s.next.Status.QueuedTime = nil
		}
		s.done = true
	}
	return nil
}

// begun tells whether a Job of the attempt was let go: from then on the attempt goes on with the Jobs that it has.
func (r *Reconciler) begun(s *scope) bool {
	b := s.job.Status.Berth
	if b == nil || b.State == v1alpha1.BerthFuture || b.State == v1alpha1.BerthPlanned {
		return false
	}
	key := client.ObjectKeyFromObject(s.job)
	for _, j := range s.current() {
		if !ptr.Deref(j.Spec.Suspend, false) || r.memory.wasReleased(key, j.UID) {
			return true
		}
	}
	return b.State == v1alpha1.BerthOccupied
}

// equip makes the Jobs of the attempt, and makes them anew where the gang has changed before they were let go: its slot may
// have been decided just after the change. A Job that is missing later has ended the attempt, which must not look whole
// again.
func (r *Reconciler) equip(ctx context.Context, s *scope) error {
	if outdated, asked := r.outdated(s); len(outdated) > 0 {
		if asked {
			if err := r.queueAnew(ctx, s); err != nil {
				return err
			}
		}
		s.done = true // their going brings the next pass
		return r.remove(ctx, outdated)
	}
	if b := s.job.Status.Berth; b != nil && b.State == v1alpha1.BerthOccupied {
		return nil
	}
	if r.Children.PodGroups && len(s.current()) < len(s.job.Spec.Roles) {
		if err := r.Client.Create(ctx, gang.PodGroup(s.job, s.attempt)); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating the PodGroup: %w", err)
		}
	}
	for i := range s.job.Spec.Roles {
		if role := &s.job.Spec.Roles[i]; s.current()[role.Name] == nil {
			if err := r.makeJob(ctx, s, role); err != nil {
				return fmt.Errorf("creating the Job of role %s: %w", role.Name, err)
			}
		}
	}
	return nil
}

// outdated returns the Jobs that were made from something else than what the gang is by now that they wait for, and whether it
// asked for something else then.
func (r *Reconciler) outdated(s *scope) (jobs map[string]*batchv1.Job, asked bool) {
	if r.begun(s) {
		return nil, false
	}
	made := gang.Made(s.job, r.Children)
	jobs = map[string]*batchv1.Job{}
	for name, j := range s.current() {
		if j.Annotations[gang.AnnotationMade] != made || j.DeletionTimestamp != nil {
			jobs[name] = j
		}
	}
	return jobs, asksOtherwise(s.job, jobs)
}

// queueAnew puts a gang that asks for something else at the end of its team's order. That is written at once: when the Jobs
// are gone nothing tells any more that it is to be done.
func (r *Reconciler) queueAnew(ctx context.Context, s *scope) error {
	written, err := patch.Status(ctx, r.Client, r.State, s.job, func(g *v1alpha1.GangJob) {
		g.Status.QueuedTime = ledger.Stamp(s.now)
		g.Status.Accelerators = r.State.Asks(g)
		g.Status.ReadyPods = ledger.Ready(0, gang.Pods(g))
	})
	if err != nil {
		return err
	}
	s.job, s.next = written, written.DeepCopy()
	return nil
}

// makeJob makes the Job of a role. What the API server finds invalid it will not find valid the next time.
func (r *Reconciler) makeJob(ctx context.Context, s *scope, role *v1alpha1.Role) error {
	err := r.Client.Create(ctx, gang.Job(s.job, role, s.attempt, r.Children))
	if apierrors.IsInvalid(err) || apierrors.IsForbidden(err) {
		events.Record(r.Recorder, s.job, events.CannotMakeJob(role.Name, err))
	}
	if apierrors.IsInvalid(err) {
		return reconcile.TerminalError(err)
	}
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	found := &batchv1.Job{} // made a moment ago, unless it is somebody else's
	err = r.Client.Get(ctx, types.NamespacedName{Namespace: s.job.Namespace, Name: gang.JobName(s.job.Name, role.Name, s.attempt)}, found)
	if err == nil && !metav1.IsControlledBy(found, s.job) {
		r.inTheWay(s, "Job", found)
	}
	return client.IgnoreNotFound(err)
}
