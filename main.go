// The manager of Berth: it decides which gangs start where, and makes it so.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/controllers"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/webhooks"
)

// options are the manager's flags; everything else is in its configuration file.
type options struct {
	config      string
	leaderElect bool
	namespace   string
	metrics     string
	probes      string
	logging     zap.Options
}

func main() {
	var o options
	flag.StringVar(&o.config, "config", "", "path of the configuration file; without one all is default")
	flag.BoolVar(&o.leaderElect, "leader-elect", false, "let one of several managers act at a time")
	flag.StringVar(&o.namespace, "namespace", "berth-system", "the manager's own namespace: of its lease, and of the webhooks' Service and Secret")
	flag.StringVar(&o.metrics, "metrics-bind-address", ":8080", "address of the metrics; 0 serves none")
	flag.StringVar(&o.probes, "health-probe-bind-address", ":8081", "address of the probes; 0 serves none")
	o.logging.TimeEncoder = zapcore.ISO8601TimeEncoder
	o.logging.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&o.logging)))

	if err := run(ctrl.SetupSignalHandler(), o); err != nil {
		ctrl.Log.Error(err, "Running the manager")
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	cfg, err := config.Load(o.config)
	if err != nil {
		return err
	}
	connection, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("finding the API server: %w", err)
	}
	mgr, err := newManager(connection, o)
	if err != nil {
		return fmt.Errorf("creating the manager: %w", err)
	}
	if _, err := controllers.Setup(ctx, mgr, cfg); err != nil {
		return fmt.Errorf("setting up controllers: %w", err)
	}
	served, err := webhooks.SetupWithManager(mgr, cfg, o.namespace)
	if err != nil {
		return fmt.Errorf("setting up webhooks: %w", err)
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	if err := mgr.AddReadyzCheck("webhooks", served.Ready); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func newManager(connection *rest.Config, o options) (ctrl.Manager, error) {
	connection.QPS = -1 // the API server's priority and fairness is the limit
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	return ctrl.NewManager(connection, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		LeaderElection:                o.leaderElect,
		LeaderElectionID:              "berth-manager",
		LeaderElectionNamespace:       o.namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       metricsserver.Options{BindAddress: o.metrics},
		HealthProbeBindAddress:        o.probes,
	})
}
