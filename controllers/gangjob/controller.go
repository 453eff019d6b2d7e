package gangjob

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/children"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
)

// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs,verbs=get;list;watch;delete
// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs/status,verbs=patch
// +kubebuilder:rbac:groups=berth.dev,resources=gangjobs/finalizers,verbs=update
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch;create
// +kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch;delete
// +kubebuilder:rbac:groups=scheduling.k8s.io,resources=podgroups,verbs=get;create;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconciler looks after the children of GangJobs.
type Reconciler struct {
	Client   client.Client
	State    *state.Cache
	Recorder events.Recorder
	Clock    clock.PassiveClock
	// Children say how children are made on this cluster.
	Children gang.Options
	// PodsReadyTimeout is how long the pods of an admitted gang may take to be all Ready.
	PodsReadyTimeout time.Duration
	// Synced waits until State is complete.
	Synced func(context.Context) bool

	memory memory
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("gangjob").
		For(&v1alpha1.GangJob{}).
		Owns(&batchv1.Job{}).
		Owns(&corev1.Service{}).
		Owns(&policyv1.PodDisruptionBudget{}).
		WatchesRawSource(&state.Source{Cache: r.State, Synced: r.Synced}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}

// scope is one pass over one gang.
type scope struct {
	// job is what was read, next what its status is to be.
	job, next *v1alpha1.GangJob
	jobs      map[int32]map[string]*batchv1.Job
	// attempt is the one that the gang's berth is for or, while it has none, the one to come.
	attempt int32
	now     time.Time
	events  []events.Event
	// soft changes may be written later, together with others, unless firm ones are among them.
	soft, firm bool
	// again is when to look again; zero: when something changes.
	again time.Duration
	done  bool
}

// current are the Jobs of the attempt.
func (s *scope) current() map[string]*batchv1.Job { return s.jobs[s.attempt] }

// within asks for another pass after at most d.
func (s *scope) within(d time.Duration) {
	if s.again == 0 || d < s.again {
		s.again = max(d, time.Millisecond)
	}
}

// step is a part of a pass. It sets done when nothing may follow.
type step struct {
	name string
	run  func(context.Context, *scope) error
}

func (r *Reconciler) steps() []step {
	return []step{
		{"queueing", r.queue},
		{"making the Service and the PodDisruptionBudget", r.surround},
		{"ending", r.end},
		{"restoring the berth", r.restore},
		{"retiring old attempts", r.retire},
		{"leaving", r.leave},
		{"making Jobs", r.equip},
		{"releasing Jobs", r.release},
		{"judging", r.judge},
		{"measuring", r.measure},
		{"ending in time", r.limit},
	}
}

// Reconcile makes one pass.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &v1alpha1.GangJob{}
	if err := r.Client.Get(ctx, req.NamespacedName, job); err != nil {
		if apierrors.IsNotFound(err) {
			r.memory.forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if m := job.Spec.ManagedBy; m != "" && m != v1alpha1.ManagedByGangJob || job.DeletionTimestamp != nil {
		return ctrl.Result{}, nil // what is deleted takes its children along
	}
	jobs, err := children.Jobs(ctx, r.Client, job)
	if err != nil {
		return ctrl.Result{}, err
	}
	s := &scope{job: job, next: job.DeepCopy(), jobs: jobs, attempt: job.Status.Attempts + 1, now: r.Clock.Now()}
	if b := job.Status.Berth; b != nil {
		s.attempt = b.Attempt
	}
	for _, step := range r.steps() {
		if err := step.run(ctx, s); err != nil {
			if patch.Outdated(err) {
				return ctrl.Result{}, nil // the watch brings what is newer
			}
			return ctrl.Result{}, fmt.Errorf("%s: %w", step.name, err)
		}
		if s.done {
			break
		}
	}
	return r.conclude(ctx, s)
}
