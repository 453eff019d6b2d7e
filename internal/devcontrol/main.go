package devcontrol

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/state"
)

// account is the manager's, by the binding of config/rbac.
const account = "system:serviceaccount:berth-system:berth-manager"

// parallel is how many tests run at once, whatever the processors: they wait more than they work.
const parallel = "8"

// Parts are what controllers are made of.
type Parts struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	Synced func(context.Context) bool
}

// Controller is something that a manager runs.
type Controller interface {
	SetupWithManager(mgr ctrl.Manager) error
}

// Main starts a cluster and the controllers that are made of its parts, fills world, runs the tests, and ends all. It
// returns the exit code. Root is the path of the repository.
func Main(m *testing.M, world *World, root string, opts devcluster.Options, controllers func(Parts) []Controller) int {
	flag.Parse()
	if err := flag.Set("test.parallel", parallel); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cluster, err := devcluster.Start(ctx, opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "starting the cluster:", err)
		return 1
	}
	defer func() { _ = cluster.Stop() }()
	stopped, err := start(ctx, cluster, world, root, controllers)
	if err != nil {
		fmt.Fprintln(os.Stderr, "starting the controllers:", err)
		return 1
	}
	code := m.Run()
	cancel()
	if err := <-stopped; err != nil {
		fmt.Fprintln(os.Stderr, "running the controllers:", err)
		return 1
	}
	return code
}

// start runs the controllers until the context ends; what they end with is sent then.
func start(ctx context.Context, cluster *devcluster.Cluster, world *World, root string, controllers func(Parts) []Controller) (<-chan error, error) {
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr), zap.Level(zapcore.ErrorLevel)))
	if err := cluster.InstallCRDs(ctx, filepath.Join(root, "config", "crd", "bases")); err != nil {
		return nil, err
	}
	for _, file := range []string{"role.yaml", "role_binding.yaml"} {
		if err := cluster.ApplyPath(ctx, filepath.Join(root, "config", "rbac", file)); err != nil {
			return nil, err
		}
	}
	connection, err := cluster.ConfigFor(account)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	all, err := client.New(cluster.Config(), client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	*world = World{Cluster: cluster, Client: all}
	mgr, err := ctrl.NewManager(connection, ctrl.Options{
		Scheme:  scheme,
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, err
	}
	defaults, err := config.Load("")
	if err != nil {
		return nil, err
	}
	parts := Parts{Client: mgr.GetClient(), Clock: clock.RealClock{}}
	parts.State = state.New(defaults.Engine(), parts.Clock)
	if parts.Synced, err = parts.State.Feed(ctx, mgr.GetCache()); err != nil {
		return nil, err
	}
	for _, c := range controllers(parts) {
		if err := c.SetupWithManager(mgr); err != nil {
			return nil, fmt.Errorf("setting up %T: %w", c, err)
		}
	}
	stopped := make(chan error, 1)
	go func() { stopped <- mgr.Start(ctx) }()
	return stopped, nil
}
