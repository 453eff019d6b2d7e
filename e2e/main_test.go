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

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// What all tests share.
var (
	cluster *devcluster.Cluster
	admin   client.WithWatch
	manager *devcluster.Program
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
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
		Version: os.Getenv("BERTH_TEST_KUBERNETES"), PodGroups: os.Getenv("BERTH_TEST_PODGROUPS") != "", AuditLog: true,
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
	if err := install(ctx); err != nil {
		return err
	}
	return startManager(ctx)
}

// install applies what a user installs, but for the Deployment, whose part the test's own process plays.
func install(ctx context.Context) error {
	if err := cluster.InstallCRDs(ctx, "../config/crd/bases"); err != nil {
		return err
	}
	for _, path := range []string{
		"manager/namespace.yaml", "rbac/service_account.yaml", "rbac/role.yaml", "rbac/role_binding.yaml",
		"rbac/namespaced_role.yaml", "rbac/user_roles.yaml", "priority/classes.yaml",
	} {
		if err := cluster.ApplyPath(ctx, filepath.Join("..", "config", path)); err != nil {
			return err
		}
	}
	return nil
}

// managerConfig makes the manager write what people read more often than in production, so that tests need not wait.
const managerConfig = `
apiVersion: config.berth.dev/v1alpha1
kind: ManagerConfiguration
podsReadyTimeout: 10s
status: {summaryInterval: 1s, waitingInterval: 2s}
webhook: {host: 127.0.0.1, port: %d, certificates: Files, certDir: %s}
`

// startManager builds the manager and runs it as its ServiceAccount would.
func startManager(ctx context.Context) error {
	binary := filepath.Join(cluster.Dir(), "berth-manager")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the manager: %w", err)
	}
	kubeconfig := filepath.Join(cluster.Dir(), "manager.kubeconfig")
	if err := cluster.WriteKubeconfig(kubeconfig, managerUser, "system:serviceaccounts", "system:serviceaccounts:berth-system",
		"system:authenticated"); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	certs := filepath.Join(cluster.Dir(), "webhook-certs")
	if err := serveWebhooks(ctx, port, certs); err != nil {
		return err
	}
	file := filepath.Join(cluster.Dir(), "berth.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, managerConfig, port, certs), 0o600); err != nil {
		return err
	}
	manager, err = cluster.StartProgram("berth-manager", binary, "--kubeconfig="+kubeconfig, "--config="+file,
		"--leader-elect", "--namespace=berth-system", "--metrics-bind-address=0", "--health-probe-bind-address=0",
		"--zap-log-level=debug")
	return err
}

// managerUser is the account that config/rbac gives the manager.
const managerUser = "system:serviceaccount:berth-system:berth-manager"
