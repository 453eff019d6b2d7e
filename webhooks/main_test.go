package webhooks_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devmanager"
	"github.com/berth-dev/berth/webhooks"
)

// managerUser is who the webhooks, and what only the manager may do, are run as.
const managerUser = "system:serviceaccount:berth-system:berth-manager"

// What all tests share: a control plane with four nodes whose API server asks the webhooks of this process, and
// keeps the policies of config/policy, the optional one included.
var (
	cluster *devcluster.Cluster
	scheme  = runtime.NewScheme()
	// admin has all rights that RBAC can give. manager acts as Berth's manager, with the rights of config/rbac.
	admin, manager client.Client
)

func TestMain(m *testing.M) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	code := run(ctx, m)
	cancel()
	os.Exit(code)
}

func run(ctx context.Context, m *testing.M) (code int) {
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "starting:", err)
		code = 1
	} else {
		code = m.Run()
	}
	if cluster != nil {
		if err := cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stopping:", err)
			code = 1
		}
	}
	return code
}

func start(ctx context.Context) error {
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	var err error
	cluster, err = devcluster.Start(ctx, devcluster.Options{Nodes: []devcluster.NodeGroup{{
		Count: 4, Labels: map[string]string{"example.com/rack": "r{i/2}"},
		Capacity: map[corev1.ResourceName]string{v1alpha1.DefaultAccelerator: "8"},
	}}})
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	if err := devmanager.Install(ctx, cluster, "..", port); err != nil {
		return err
	}
	if err := cluster.ApplyPath(ctx, "../config/policy/poolguard/policy.yaml"); err != nil {
		return err
	}
	as, err := cluster.ConfigFor(managerUser, "system:serviceaccounts", "system:serviceaccounts:berth-system", "system:authenticated")
	if err != nil {
		return err
	}
	if admin, err = client.New(cluster.Config(), client.Options{Scheme: scheme}); err != nil {
		return err
	}
	if manager, err = client.New(as, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	return serve(ctx, as, port)
}

// serve serves the webhooks from this process, with a certificate of their own making, until the context ends.
func serve(ctx context.Context, as *rest.Config, port int) error {
	certs, err := os.MkdirTemp("", "berth-webhooks-")
	if err != nil {
		return err
	}
	cfg := &config.Manager{}
	cfg.Webhook.Host, cfg.Webhook.Port, cfg.Webhook.CertDir = "localhost", port, certs
	cfg.UncountedDrivers = []string{"compute-domain.nvidia.com"}
	cfg.Default()
	mgr, err := ctrl.NewManager(as, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	server, err := webhooks.SetupWithManager(mgr, cfg, "berth-system")
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		defer os.RemoveAll(certs)
		ended <- mgr.Start(ctx)
	}()
	if err := mount(ctx, certs); err != nil {
		return err
	}
	return cluster.WaitFor(ctx, "the webhooks are served", func(context.Context) (bool, error) {
		select {
		case err := <-ended:
			return false, fmt.Errorf("the manager ended: %w", err)
		default:
			return server.Ready(&http.Request{}) == nil, nil
		}
	})
}

// mount writes the certificate that the manager made to a folder, as the kubelet does.
func mount(ctx context.Context, folder string) error {
	return cluster.WaitFor(ctx, "there is a certificate", func(ctx context.Context) (bool, error) {
		var secret corev1.Secret
		key := client.ObjectKey{Namespace: "berth-system", Name: "berth-webhook-cert"}
		if err := admin.Get(ctx, key, &secret); err != nil || len(secret.Data) == 0 {
			return false, err
		}
		for name, content := range secret.Data {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// freePort is a port that nobody listens on.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
