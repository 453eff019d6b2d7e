package preemption

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/children"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs/status,verbs=patch
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconciler sees gangs out.
type Reconciler struct {
	Client   client.Client
	State    *state.Cache
	Recorder events.Recorder
	Clock    clock.PassiveClock
	// Synced waits until State is complete.
	Synced func(context.Context) bool
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("preemption").
		For(&v1alpha1.GangJob{}).
		Owns(&batchv1.Job{}).
		WatchesRawSource(&state.Source{Cache: r.State, Synced: r.Synced}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// forceInterval is how often a gang that does not get away is looked at for pods on nodes that are gone.
const forceInterval = 5 * time.Second

// Reconcile takes a gang that was told to leave a step further.
func (r *Reconciler) Reconcile(ctx context.Context, job *v1alpha1.GangJob) (ctrl.Result, error) {
	if !ledger.Leaving(job) || job.Status.Berth == nil || job.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	all, err := children.Jobs(ctx, r.Client, job)
	if err != nil {
		return ctrl.Result{}, err
	}
	jobs := all[job.Status.Berth.Attempt]
	if verdict, _ := children.Outcome(job, jobs); verdict == children.Succeeded {
		return ctrl.Result{}, nil // it made it; the gangjob controller ends it
	}
	result, err := r.see(ctx, job, jobs)
	if patch.Outdated(err) {
		return ctrl.Result{}, nil // the watch brings what is newer
	}
	return result, err
}

// see takes the gang as far as it goes now.
func (r *Reconciler) see(ctx context.Context, job *v1alpha1.GangJob, jobs map[string]*batchv1.Job) (ctrl.Result, error) {
	pods, err := children.Pods(ctx, r.Client, job, jobs)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.pass(ctx, job, pods); err != nil {
		return ctrl.Result{}, err
	}
	if wait, ok := r.patience(job); ok {
		if wait > 0 {
			return ctrl.Result{RequeueAfter: wait}, nil
		}
		return ctrl.Result{}, r.callOff(ctx, job)
	}
	if !job.Status.Preemption.Signaled {
		// The stop is the signal: from here on the gang is not spared.
		next, err := patch.Status(ctx, r.Client, r.State, job, ledger.Signaled)
		if err != nil {
			return ctrl.Result{}, err
		}
		job = next
	}
	if err := children.Stop(ctx, r.Client, jobs); err != nil {
		return ctrl.Result{}, err
	}
	if !children.Stopped(jobs) || !r.State.Gone(client.ObjectKeyFromObject(job), int(job.Status.Berth.Attempt)) {
		return ctrl.Result{RequeueAfter: forceInterval}, children.Force(ctx, r.Client, pods, r.State.NodeReady)
	}
	return ctrl.Result{}, r.away(ctx, job)
}

// patience tells whether a gang may go on where it is until it has saved its work, and for how much longer: a move of one
// that answers is never forced.
func (r *Reconciler) patience(job *v1alpha1.GangJob) (left time.Duration, patient bool) {
	p := job.Status.Preemption
	if p.Rule != engine.ByMove.String() || p.Acknowledged || p.Signaled || !translate.NeedsSidecar(job.Spec.Checkpoint) {
		return 0, false
	}
	return p.NoticeTime.Add(translate.GracePeriod(job.Spec.Checkpoint)).Sub(r.Clock.Now()), true
}

// callOff lets a gang stay that has not saved its work in time to be moved.
func (r *Reconciler) callOff(ctx context.Context, job *v1alpha1.GangJob) error {
	_, err := patch.Status(ctx, r.Client, r.State, job, func(g *v1alpha1.GangJob) { ledger.CallOff(g, r.Clock.Now()) })
	if err != nil {
		return err
	}
	events.Record(r.Recorder, job, events.CalledOff())
	return nil
}

// pass tells the pods until when they have: an annotation that they can read through the downward API.
func (r *Reconciler) pass(ctx context.Context, job *v1alpha1.GangJob, pods []*corev1.Pod) error {
	deadline := job.Status.Preemption.Deadline.UTC().Format(time.RFC3339)
	for _, p := range pods {
		if p.Annotations[v1alpha1.AnnotationPreemptionDeadline] == deadline || p.DeletionTimestamp != nil {
			continue
		}
		next := p.DeepCopy()
		if next.Annotations == nil {
			next.Annotations = map[string]string{}
		}
		next.Annotations[v1alpha1.AnnotationPreemptionDeadline] = deadline
		if err := r.Client.Patch(ctx, next, client.MergeFrom(p)); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("telling pod %s/%s: %w", p.Namespace, p.Name, err)
		}
	}
	return nil
}

// away gives the berth of a gang back whose pods are gone.
func (r *Reconciler) away(ctx context.Context, job *v1alpha1.GangJob) error {
	now := r.Clock.Now()
	reason := job.Status.Reason
	expired := job.Status.Preemption.Rule == v1alpha1.RuleMaxRuntime
	next, err := onward(job)
	if err != nil {
		return err
	}
	team := job.Status.Team
	_, err = patch.Status(ctx, r.Client, r.State, job, func(g *v1alpha1.GangJob) {
		if expired {
			ledger.Fail(g, v1alpha1.ReasonMaxRuntimeExceeded, "ran for as long as its maxRuntime", now)
		} else {
			ledger.PutBack(g, gang.Pods(g), now)
			if next != nil {
				ledger.Reserve(g, team, *next, now)
			}
		}
	})
	if err != nil {
		return err
	}
	if expired {
		events.Record(r.Recorder, job, events.Failed(v1alpha1.ReasonMaxRuntimeExceeded, "ran for as long as its maxRuntime"))
	} else {
		events.Record(r.Recorder, job, events.Left(reason))
	}
	return nil
}

// onward is the slot in which a gang goes on that has left its own, nil if it waits again.
func onward(job *v1alpha1.GangJob) (*engine.Slot, error) {
	if job.Status.Preemption.Next == nil {
		return nil, nil
	}
	slot, err := translate.Slot(job.Status.Preemption.Next)
	return &slot, err
}
