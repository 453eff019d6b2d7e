package team

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
)

// +kubebuilder:rbac:groups=berth.dev,resources=teams,verbs=get;list;watch
// +kubebuilder:rbac:groups=berth.dev,resources=teams/status,verbs=patch

// Reconciler writes the status of Teams.
type Reconciler struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	Pace   *summary.Pace
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("team").
		For(&v1alpha1.Team{}).
		WatchesRawSource(summary.Source(r.State.Changes(), r.Clock, r.State.Teams)).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// Reconcile brings the status of a team up to date.
func (r *Reconciler) Reconcile(ctx context.Context, team *v1alpha1.Team) (ctrl.Result, error) {
	next := team.DeepCopy()
	r.describe(next)
	if equality.Semantic.DeepEqual(team.Status, next.Status) {
		return ctrl.Result{}, nil
	}
	now := r.Clock.Now()
	if wait := r.Pace.Wait(team.UID, now); wait > 0 {
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
	s.Namespaces = v.Namespaces
	s.Pending, s.Admitted, s.Preempting = v.Pending, v.Admitted, v.Preempting
	s.Resources = summary.Usage(v.Usage)
	s.Accelerators = summary.Accelerators(v.Usage, r.State.Accelerators)
	s.DominantShare, s.DominantResource = "", ""
	if v.Share > 0 {
		s.DominantShare = fmt.Sprintf("%d.%03d", v.Share/1000, v.Share%1000)
		s.DominantResource = v.Pool + "/" + v.Resource
	}
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&s.Conditions, team.Generation, kind, holds, reason, message)
	}
	switch {
	case v.Cycle:
		message := fmt.Sprintf("the parents of team %s lead in a circle; nothing is admitted on it", team.Name)
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonParentCycle, message)
		set(v1alpha1.ConditionParentCycle, true, v1alpha1.ReasonParentCycle, message)
	case !v.ParentKnown:
		message := fmt.Sprintf("parent %q does not exist; the team counts as a root until it does", team.Spec.Parent)
		set(v1alpha1.ConditionActive, false, v1alpha1.ReasonUnknownParent, message)
		set(v1alpha1.ConditionParentCycle, false, v1alpha1.ReasonNoCycle, "")
	default:
		set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, "")
		set(v1alpha1.ConditionParentCycle, false, v1alpha1.ReasonNoCycle, "")
	}
	if len(v.Conflicts) == 0 {
		set(v1alpha1.ConditionNamespaceConflict, false, v1alpha1.ReasonNoConflict, "")
		return
	}
	var taken []string
	for _, namespace := range slices.Sorted(maps.Keys(v.Conflicts)) {
		taken = append(taken, fmt.Sprintf("namespace %s belongs to team %s", namespace, v.Conflicts[namespace]))
	}
	set(v1alpha1.ConditionNamespaceConflict, true, v1alpha1.ReasonOtherTeam, strings.Join(taken, "; "))
}
