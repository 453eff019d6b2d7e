package controllers

import (
	"context"
	"fmt"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/berth-dev/berth/controllers/admission"
	"github.com/berth-dev/berth/controllers/gangjob"
	"github.com/berth-dev/berth/controllers/preemption"
	"github.com/berth-dev/berth/controllers/quota"
	"github.com/berth-dev/berth/controllers/team"
	"github.com/berth-dev/berth/controllers/topology"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
)

// controller is something that a manager runs for one concern.
type controller interface {
	SetupWithManager(ctrl.Manager) error
}

// Setup adds all controllers to a manager, and returns the state that they share.
func Setup(ctx context.Context, mgr ctrl.Manager, cfg *config.Manager) (*state.Cache, error) {
	clk := clock.RealClock{}
	cache := state.New(cfg.Engine(), clk)
	synced, err := cache.Feed(ctx, mgr.GetCache())
	if err != nil {
		return nil, err
	}
	podGroups, err := servesPodGroups(mgr.GetRESTMapper())
	if err != nil {
		return nil, err
	}
	c, recorder := mgr.GetClient(), mgr.GetEventRecorder("berth")
	interval := cfg.Status.SummaryInterval.Duration
	reporter := admission.NewReporter(c, cache, clk, cfg.Status.WaitingInterval.Duration, cfg.Status.WaitingPerSecond)
	for _, runnable := range []interface {
		Start(context.Context) error
		NeedLeaderElection() bool
	}{
		reporter,
		&admission.Loop{
			Client: c, State: cache, Recorder: recorder, Clock: clk, Synced: synced, Decided: reporter.Decided,
			Gather: cfg.BatchWindow.Duration,
		},
	} {
		if err := mgr.Add(runnable); err != nil {
			return nil, fmt.Errorf("adding %T: %w", runnable, err)
		}
	}
	for _, each := range []controller{
		&gangjob.Reconciler{
			Client: c, State: cache, Recorder: recorder, Clock: clk, Children: gang.Options{PodGroups: podGroups},
			PodsReadyTimeout: cfg.PodsReadyTimeout.Duration, Synced: synced,
		},
		&preemption.Reconciler{Client: c, State: cache, Recorder: recorder, Clock: clk, Synced: synced},
		&team.Reconciler{Client: c, State: cache, Clock: clk, Pace: summary.NewPace(interval), Synced: synced},
		&quota.Reconciler{Client: c, State: cache, Clock: clk, Pace: summary.NewPace(interval), Synced: synced},
		&topology.Reconciler{Client: c, State: cache, Clock: clk, Pace: summary.NewPace(interval), Synced: synced},
	} {
		if err := each.SetupWithManager(mgr); err != nil {
			return nil, fmt.Errorf("setting up %T: %w", each, err)
		}
	}
	return cache, nil
}

// servesPodGroups tells whether kube-scheduler can be told to bind pods all or none.
func servesPodGroups(mapper meta.RESTMapper) (bool, error) {
	kind := schedulingv1beta1.SchemeGroupVersion.WithKind("PodGroup")
	_, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	switch {
	case meta.IsNoMatchError(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("asking whether PodGroups are served: %w", err)
	}
	return true, nil
}
