package topology

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
)

// +kubebuilder:rbac:groups=berth.dev,resources=topologydomains,verbs=get;list;watch;create;delete
// +kubebuilder:rbac:groups=berth.dev,resources=topologydomains/status,verbs=patch
// +kubebuilder:rbac:groups=berth.dev,resources=topologydomains/finalizers,verbs=update

// Reconciler draws the map of pools.
type Reconciler struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	Pace   *summary.Pace
}

// SetupWithManager registers the reconciler. It works pool by pool.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("topology").
		For(&v1alpha1.TopologyDomain{}).
		Owns(&v1alpha1.TopologyDomain{}).
		WatchesRawSource(summary.Source(r.State.Changes(), r.Clock, r.State.Pools)).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// Reconcile brings the map of a pool up to date. Changes of its domains come here by their owner.
func (r *Reconciler) Reconcile(ctx context.Context, pool *v1alpha1.TopologyDomain) (ctrl.Result, error) {
	if !pool.IsPool() || pool.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	if wait := r.Pace.Wait(pool.UID, r.Clock.Now()); wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	drawn, err := r.drawn(ctx, pool)
	if err != nil {
		return ctrl.Result{}, err
	}
	views, overlapping := r.State.DomainsOf(pool.Name)
	for _, v := range views {
		switch v.Level {
		case engine.NodeLevel: // kubectl get nodes
		case "":
			err = r.write(ctx, pool, func(next *v1alpha1.TopologyDomain) {
				describe(next, pool, v)
				overlap(next, overlapping)
			})
		default:
			name := NameOf(pool.Name, v.Path)
			err = r.draw(ctx, pool, drawn[name], name, v)
			delete(drawn, name)
		}
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.erase(ctx, drawn)
}

// drawn returns the domains of a pool that are there, by name.
func (r *Reconciler) drawn(ctx context.Context, pool *v1alpha1.TopologyDomain) (map[string]*v1alpha1.TopologyDomain, error) {
	var list v1alpha1.TopologyDomainList
	if err := r.Client.List(ctx, &list, client.MatchingLabels{v1alpha1.LabelPool: pool.Name}); err != nil {
		return nil, fmt.Errorf("listing the domains of pool %s: %w", pool.Name, err)
	}
	out := map[string]*v1alpha1.TopologyDomain{}
	for i := range list.Items {
		if d := &list.Items[i]; metav1.IsControlledBy(d, pool) {
			out[d.Name] = d
		}
	}
	return out, nil
}

// draw makes a domain that is missing and writes its status.
func (r *Reconciler) draw(ctx context.Context, pool, found *v1alpha1.TopologyDomain, name string, v engine.DomainView) error {
	if found == nil {
		found = domain(pool, name, v)
		if err := r.Client.Create(ctx, found); err != nil {
			if apierrors.IsAlreadyExists(err) {
				return nil // made a moment ago; the watch brings it
			}
			return fmt.Errorf("creating TopologyDomain %s: %w", name, err)
		}
	}
	return r.write(ctx, found, func(next *v1alpha1.TopologyDomain) { describe(next, pool, v) })
}

// erase removes domains of which no node is left, unless somebody has cordoned them.
func (r *Reconciler) erase(ctx context.Context, left map[string]*v1alpha1.TopologyDomain) error {
	for _, name := range slices.Sorted(maps.Keys(left)) {
		d := left[name]
		if d.Spec.Cordoned || d.DeletionTimestamp != nil {
			continue
		}
		if err := r.Client.Delete(ctx, d); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("deleting TopologyDomain %s: %w", name, err)
		}
	}
	return nil
}

func (r *Reconciler) write(ctx context.Context, d *v1alpha1.TopologyDomain, change func(*v1alpha1.TopologyDomain)) error {
	next := d.DeepCopy()
	change(next)
	if equality.Semantic.DeepEqual(d.Status, next.Status) {
		return nil
	}
	if err := r.Client.Status().Patch(ctx, next, client.MergeFrom(d)); err != nil && !patch.Outdated(err) {
		return fmt.Errorf("writing the status of TopologyDomain %s: %w", d.Name, err)
	}
	return nil
}

// overlap says which nodes a pool selects and does not have.
func overlap(pool *v1alpha1.TopologyDomain, nodes map[string]string) {
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&pool.Status.Conditions, pool.Generation, kind, holds, reason, message)
	}
	set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, "")
	if len(nodes) == 0 {
		set(v1alpha1.ConditionOverlapping, false, v1alpha1.ReasonNoOverlap, "")
		return
	}
	names := slices.Sorted(maps.Keys(nodes))
	text := make([]string, 0, len(names))
	for _, name := range names[:min(len(names), 8)] {
		text = append(text, fmt.Sprintf("node %s belongs to pool %s", name, nodes[name]))
	}
	if more := len(names) - len(text); more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	set(v1alpha1.ConditionOverlapping, true, v1alpha1.ReasonNodesInOlderPool, strings.Join(text, "; "))
}
