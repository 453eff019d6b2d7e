package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devmanager"
)

// What all tests share.
var (
	cluster *devcluster.Cluster
	admin   client.WithWatch
	manager *devmanager.Manager
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctrl.SetLogger(logr.Discard()) // clients of the tests have nothing to say
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "starting:", err)
		if cluster != nil {
			_ = cluster.Stop() // the first error counts
		}
		return 1
	}
	code := m.Run()
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping:", err)
		return 1
	}
	return code
}

// start brings up the cluster and the manager.
func start(ctx context.Context) error {
	var err error
	cluster, err = devcluster.Start(ctx, devcluster.Options{
		Version: os.Getenv("BERTH_TEST_KUBERNETES"), PodGroups: true, AuditLog: true,
		KeepDir: os.Getenv("BERTH_TEST_KEEP") != "",
	})
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	if admin, err = client.NewWithWatch(cluster.Config(), client.Options{Scheme: scheme}); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", binary(), "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the manager: %w", err)
	}
	return startManager(ctx)
}

// binary is the manager's program.
func binary() string { return filepath.Join(cluster.Dir(), "berth-manager") }

// startManager starts a manager, the first or one after another's end.
func startManager(ctx context.Context) error {
	cfg, err := config.Parse([]byte(managerConfig))
	if err != nil {
		return err
	}
	manager, err = devmanager.Start(ctx, cluster, devmanager.Options{
		Root: "..", Binary: binary(), Config: cfg, Flags: []string{"--zap-log-level=debug"},
	})
	return err
}

// managerConfig makes the manager write what people read more often than in production, so that tests need not wait.
const managerConfig = `
apiVersion: config.berth.dev/v1alpha1
kind: ManagerConfiguration
podsReadyTimeout: 60s
status: {summaryInterval: 1s, waitingInterval: 2s}
`
