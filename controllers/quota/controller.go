package quota

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
	"github.com/berth-dev/berth/internal/translate"
)

// +kubebuilder:rbac:groups=berth.dev,resources=quotas,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=quotas/status,verbs=patch

// Reconciler writes the status of Quotas.
type Reconciler struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	Pace   *summary.Pace
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("quota").
		For(&v1alpha1.Quota{}).
		WatchesRawSource(summary.Source(r.State.Changes(), r.Clock, r.State.Quotas)).
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
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&s.Conditions, quota.Generation, kind, holds, reason, message)
	}
	switch {
	case !v.TeamKnown:
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonUnknownTeam,
			fmt.Sprintf("team %q does not exist; the quota counts as nothing until it does", quota.Spec.Team))
	case len(v.UnknownPools) > 0:
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonUnknownPool, fmt.Sprintf(
			"no pool is called %s; what is given of it counts as nothing until there is", strings.Join(v.UnknownPools, ", ")))
	default:
		set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, "")
	}
	var over []string
	for _, o := range v.Over {
		guaranteed, capacity := translate.FromMilli(o.Guaranteed), translate.FromMilli(o.Capacity)
		over = append(over, fmt.Sprintf("pool %s holds %s %s, and teams are guaranteed %s in all", o.Pool, capacity.String(),
			o.Resource, guaranteed.String()))
	}
	if len(over) > 0 {
		set(v1alpha1.ConditionOvercommitted, true, v1alpha1.ReasonAboveCapacity,
			strings.Join(over, "; ")+"; each guarantee is honoured in proportion")
	} else {
		set(v1alpha1.ConditionOvercommitted, false, v1alpha1.ReasonWithinCapacity, "")
	}
}
