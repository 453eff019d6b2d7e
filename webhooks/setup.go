package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
)

// PodPath is where the pod webhook is served.
const PodPath = "/place-pod"

// Server serves the webhooks of a manager once there is a certificate to serve them with.
type Server struct {
	server webhook.Server
	cache  cache.Cache
	ledger *Ledger
	ready  <-chan struct{}
}

// SetupWithManager has the manager serve all webhooks where cfg.Webhook says. The namespace is the manager's own, where
// the Secret with the certificate lies.
func SetupWithManager(mgr ctrl.Manager, cfg *config.Manager, namespace string) (*Server, error) {
	ready, err := certificates(mgr, &cfg.Webhook, namespace)
	if err != nil {
		return nil, fmt.Errorf("preparing certificates: %w", err)
	}
	s := &Server{
		server: webhook.NewServer(webhook.Options{Host: cfg.Webhook.Host, Port: cfg.Webhook.Port, CertDir: cfg.Webhook.CertDir}),
		cache:  mgr.GetCache(),
		ledger: NewLedger(mgr.GetAPIReader()),
		ready:  ready,
	}
	if err := s.register(mgr, cfg); err != nil {
		return nil, fmt.Errorf("registering webhooks: %w", err)
	}
	if err := mgr.Add(s); err != nil {
		return nil, fmt.Errorf("adding the webhooks to the manager: %w", err)
	}
	return s, nil
}

// Start serves the webhooks until the context ends: once there is a certificate, without which the server fails, and once
// all berths are known.
func (s *Server) Start(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.ready:
	}
	if err := s.ledger.Watch(ctx, s.cache); err != nil {
		return err
	}
	return s.server.Start(ctx)
}

// NeedLeaderElection is false: every replica serves.
func (s *Server) NeedLeaderElection() bool { return false }

// Ready is a readiness check: nil once the webhooks are served.
func (s *Server) Ready(req *http.Request) error {
	select {
	case <-s.ready:
		return s.server.StartedChecker()(req)
	default:
		return errors.New("the webhooks have no certificate yet")
	}
}

// serving is a manager whose webhook server is started by [Server]. The manager's own would be started at once.
type serving struct {
	ctrl.Manager
	server webhook.Server
}

func (s serving) GetWebhookServer() webhook.Server { return s.server }

func (s *Server) register(manager ctrl.Manager, cfg *config.Manager) error {
	mgr := serving{manager, s.server}
	source := &worldSource{reader: mgr.GetClient(), live: mgr.GetAPIReader(), limits: cfg.Limits}
	gangs := &gangJobs{source}
	s.server.Register(PodPath, &webhook.Admission{Handler: &PodPlacer{Assignments: s.ledger}})
	return errors.Join(
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.GangJob{}).WithDefaulter(gangs).WithValidator(gangs).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.Team{}).WithDefaulter(&teams{source}).WithValidator(&teams{source}).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.Quota{}).WithValidator(&quotas{source}).Complete(),
		ctrl.NewWebhookManagedBy(mgr, &v1alpha1.TopologyDomain{}).WithDefaulter(&domains{}).WithValidator(&domains{}).Complete(),
	)
}
