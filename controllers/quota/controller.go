package quota

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

// +kubebuilder:rbac:groups=berth.dev,resources=quotas,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=quotas/status,verbs=patch

// Reconciler writes the status of Quotas.
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
		Named("quota").
		For(&v1alpha1.Quota{}).
		WatchesRawSource(&summary.Source{
			Changes: r.State.Changes(), Clock: r.Clock, Names: r.State.Quotas, Synced: r.Synced,
		}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// Reconcile brings the status of a quota up to date.
func (r *Reconciler) Reconcile(ctx context.Context, quota *v1alpha1.Quota) (ctrl.Result, error) {
	next := quota.DeepCopy()
	r.describe(next)
	if equality.Semantic.DeepEqual(quota.Status, next.Status) {
		return ctrl.Result{}, nil
	}
	if wait := r.Pace.Wait(quota.UID, r.Clock.Now()); wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := r.Client.Status().Patch(ctx, next, client.MergeFrom(quota)); err != nil && !patch.Outdated(err) {
		return ctrl.Result{}, fmt.Errorf("writing the status of Quota %s: %w", quota.Name, err)
	}
	return ctrl.Result{}, nil
}

// describe writes down what is known of a quota.
func (r *Reconciler) describe(quota *v1alpha1.Quota) {
	v := r.State.Quota(quota)
	s := &quota.Status
	s.ObservedGeneration = quota.Generation
	s.Resources = summary.Usage(v.Usage)
	s.Accelerators = summary.Accelerators(v.Usage, r.State.Accelerators)
	judge(quota, v)
}
