package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
)

// PodPath is where the pod webhook is served.
const PodPath = "/place-pod"

// Server serves the webhooks of a manager once there are certificates to serve them with.
type Server struct {
	manager ctrl.Manager
	config  *config.Manager
	ready   <-chan struct{}
	// started is what the webhook server says of itself, nil until it is registered.
	started atomic.Pointer[healthz.Checker]
}

// SetupWithManager has the manager serve all webhooks. The namespace is the manager's own, where the Secret with the
// certificate lies.
func SetupWithManager(mgr ctrl.Manager, cfg *config.Manager, namespace string) (*Server, error) {
	ready, err := certificates(mgr, &cfg.Webhook, namespace)
	if err != nil {
		return nil, fmt.Errorf("preparing certificates: %w", err)
	}
	s := &Server{manager: mgr, config: cfg, ready: ready}
	if err := mgr.Add(s); err != nil {
		return nil, fmt.Errorf("adding the webhooks to the manager: %w", err)
	}
	return s, nil
}

// Start waits for the certificates and registers the webhooks; the webhook server refuses to start without.
func (s *Server) Start(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.ready:
	}
	if err := s.register(ctx); err != nil {
		return fmt.Errorf("registering webhooks: %w", err)
	}
	checker := s.manager.GetWebhookServer().StartedChecker()
	s.started.Store(&checker)
	return nil
}

// NeedLeaderElection is false: every replica serves.
func (s *Server) NeedLeaderElection() bool { return false }

// Ready is a readiness check: nil once the webhooks are served.
func (s *Server) Ready(req *http.Request) error {
	if checker := s.started.Load(); checker != nil {
		return (*checker)(req)
	}
	return errors.New("the webhooks have no certificate yet")
}

func (s *Server) register(ctx context.Context) error {
	mgr, source := s.manager, &worldSource{reader: s.manager.GetClient(), live: s.manager.GetAPIReader(), limits: s.config.Limits}
	gangs := &gangJobs{source}
	err := errors.Join(
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.GangJob{}).WithDefaulter(gangs).WithValidator(gangs).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.Team{}).WithDefaulter(&teams{source}).WithValidator(&teams{source}).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.Quota{}).WithValidator(&quotas{source}).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.TopologyDomain{}).WithDefaulter(&domains{}).WithValidator(&domains{}).Complete(),
	)
	if err != nil {
		return err
	}
	ledger := NewLedger(mgr.GetAPIReader())
	if err := ledger.Watch(ctx, mgr.GetCache()); err != nil {
		return err
	}
	mgr.GetWebhookServer().Register(PodPath, &webhook.Admission{Handler: &PodPlacer{Assignments: ledger}})
	return nil
}
