package team

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
)

// +kubebuilder:rbac:groups=berth.dev,resources=teams,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=teams/status,verbs=patch

// Reconciler writes the status of Teams.
type Reconciler struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	// Pace holds the writes of one status apart.
	Pace *summary.Pace
	// Synced waits until State is complete.
	Synced func(context.Context) bool
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("team").
		For(&v1alpha1.Team{}).
		WatchesRawSource(&summary.Source{
			Changes: r.State.Changes(), Clock: r.Clock, Names: r.State.Teams, Synced: r.Synced,
		}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// maxNamespaces is how many namespaces a status holds.
const maxNamespaces = 4096

// Reconcile brings the status of a team up to date.
func (r *Reconciler) Reconcile(ctx context.Context, team *v1alpha1.Team) (ctrl.Result, error) {
	next := team.DeepCopy()
	r.describe(next)
	if equality.Semantic.DeepEqual(team.Status, next.Status) {
		return ctrl.Result{}, nil
	}
	if wait := r.Pace.Wait(team.UID, r.Clock.Now()); wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := r.Client.Status().Patch(ctx, next, client.MergeFrom(team)); err != nil && !patch.Outdated(err) {
		return ctrl.Result{}, fmt.Errorf("writing the status of Team %s: %w", team.Name, err)
	}
	return ctrl.Result{}, nil
}

// describe writes down what is known of a team.
func (r *Reconciler) describe(team *v1alpha1.Team) {
	v := r.State.Team(team.Name)
	s := &team.Status
	s.ObservedGeneration = team.Generation
	s.Namespaces = v.Namespaces[:min(len(v.Namespaces), maxNamespaces)]
	s.Pending, s.Admitted, s.Preempting = v.Pending, v.Admitted, v.Preempting
	s.Resources = summary.Usage(v.Usage)
	s.Accelerators = summary.Accelerators(v.Usage, r.State.Accelerators)
	s.DominantShare, s.DominantResource = "", ""
	if v.Share > 0 {
		s.DominantShare = fmt.Sprintf("%d.%03d", v.Share/1000, v.Share%1000)
		s.DominantResource = v.Pool + "/" + v.Resource
	}
	judge(team, v)
}
