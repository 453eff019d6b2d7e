package topology

import (
	"context"
	"fmt"
	"time"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
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
	// Pace holds the writes of one status apart.
	Pace *summary.Pace
	// Synced waits until State is complete.
	Synced func(context.Context) bool
}

// SetupWithManager registers the reconciler. It works pool by pool.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("topology").
		For(&v1alpha1.TopologyDomain{}, builder.WithPredicates(predicate.NewPredicateFuncs(isPool))).
		Owns(&v1alpha1.TopologyDomain{}).
		WatchesRawSource(&summary.Source{
			Changes: r.State.Changes(), Clock: r.Clock, Names: r.State.Pools, Synced: r.Synced,
		}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

func isPool(obj client.Object) bool {
	d, ok := obj.(*v1alpha1.TopologyDomain)
	return ok && d.IsPool()
}

// scope is one pass over one pool.
type scope struct {
	pool *v1alpha1.TopologyDomain
	// drawn are the pool's domains that are there, by name; what is left of them at the end belongs to no node.
	drawn map[string]*v1alpha1.TopologyDomain
	// views are the domains as they are.
	views []engine.DomainView
	// overlapping are the nodes that the pool selects and an older one has, by that one's name.
	overlapping map[string]string
	// inTheWay names objects that have the name of a domain and are none.
	inTheWay []string
	// again is when to look again; zero: when something changes.
	again time.Duration
}

// within asks for another pass after at most d.
func (s *scope) within(d time.Duration) {
	if s.again == 0 || d < s.again {
		s.again = d
	}
}

// Reconcile brings the map of a pool up to date. Changes of its domains come here by their owner.
func (r *Reconciler) Reconcile(ctx context.Context, pool *v1alpha1.TopologyDomain) (ctrl.Result, error) {
	if !pool.IsPool() || pool.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	s := &scope{pool: pool}
	if s.views, s.overlapping = r.State.DomainsOf(pool.Name); len(s.views) == 0 {
		return ctrl.Result{}, nil // not told of it yet, or gone already: the next change brings it
	}
	var err error
	if s.drawn, err = r.gather(ctx, pool); err != nil {
		return ctrl.Result{}, err
	}
	for _, step := range []struct {
		name string
		run  func(context.Context, *scope) error
	}{
		{"drawing domains", r.draw},
		{"erasing domains", r.erase},
		{"summing up the pool", r.sum},
	} {
		if err := step.run(ctx, s); err != nil {
			return ctrl.Result{}, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return ctrl.Result{RequeueAfter: s.again}, nil
}
