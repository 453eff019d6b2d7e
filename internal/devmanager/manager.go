package devmanager

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
)

// stopGrace is how long a manager may take to stop, as its Deployment has it.
const stopGrace = 10 * time.Second

// tailLines is how many lines of the log an error shows.
const tailLines = 20

// Options says what manager to run.
type Options struct {
	// Root is the folder of the repository, whose config/ is installed.
	Root string

	// Binary is the manager's program, as `go build .` makes it.
	Binary string

	// Config is the manager's configuration; ports and folders are filled in. Default: all is default.
	Config *config.Manager

	// Flags are more flags, such as --zap-log-level=debug.
	Flags []string
}

// Manager is a running manager.
type Manager struct {
	program *devcluster.Program
}

// Start installs Berth on a cluster, runs its manager there and returns when the API server reaches its webhooks.
func Start(ctx context.Context, c *devcluster.Cluster, opts Options) (*Manager, error) {
	webhookPort, err := freePort()
	if err != nil {
		return nil, err
	}
	probePort, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := Install(ctx, c, opts.Root, webhookPort); err != nil {
		return nil, fmt.Errorf("installing Berth: %w", err)
	}
	dir := filepath.Join(c.Dir(), "manager")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	user := fmt.Sprintf("system:serviceaccount:%s:%s", namespace, serviceAccount)
	if err := c.WriteKubeconfig(kubeconfig, user, "system:serviceaccounts", "system:serviceaccounts:"+namespace, "system:authenticated"); err != nil {
		return nil, err
	}
	file, err := writeConfig(dir, opts.Config, webhookPort)
	if err != nil {
		return nil, err
	}
	program, err := c.StartProgram("berth-manager", opts.Binary, append([]string{
		"--config=" + file,
		"--kubeconfig=" + kubeconfig,
		"--namespace=" + namespace,
		"--leader-elect",
		"--metrics-bind-address=0",
		fmt.Sprintf("--health-probe-bind-address=127.0.0.1:%d", probePort),
	}, opts.Flags...)...)
	if err != nil {
		return nil, err
	}
	m := &Manager{program: program}
	if err := m.serve(ctx, c, filepath.Join(dir, certs), probePort); err != nil {
		_ = m.Kill() // the first error counts; its cause may be that the manager has ended
		return nil, err
	}
	return m, nil
}

// serve waits until the webhooks are served.
func (m *Manager) serve(ctx context.Context, c *devcluster.Cluster, certs string, probePort int) error {
	if err := mountCertificate(ctx, c, certs); err != nil {
		return err
	}
	return m.waitReady(ctx, c, probePort)
}

// writeConfig writes the configuration with what this machine needs.
func writeConfig(dir string, base *config.Manager, webhookPort int) (string, error) {
	var cfg config.Manager
	if base != nil {
		cfg = *base
	}
	cfg.APIVersion, cfg.Kind = config.APIVersion, config.Kind
	cfg.Default()
	cfg.Webhook.Host, cfg.Webhook.Port = "127.0.0.1", webhookPort
	cfg.Webhook.Certificates, cfg.Webhook.CertDir = config.SelfManaged, filepath.Join(dir, certs)
	raw, err := yaml.Marshal(cfg)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "berth.yaml")
	return file, os.WriteFile(file, raw, 0o600)
}

// waitReady waits for the manager's own word, and then for the API server to reach a webhook: it takes a moment to notice
// the CA.
func (m *Manager) waitReady(ctx context.Context, c *devcluster.Cluster, probePort int) error {
	url := fmt.Sprintf("http://127.0.0.1:%d/readyz", probePort)
	err := c.WaitFor(ctx, "the manager is ready", func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return false, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, nil //nolint:nilerr // it does not listen yet
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		return err
	}
	return c.WaitFor(ctx, "the API server reaches the webhooks", func(ctx context.Context) (bool, error) {
		return reached(ctx, client)
	})
}

// reached asks for a Team without creating it.
func reached(ctx context.Context, client *kubernetes.Clientset) (bool, error) {
	const team = `{"apiVersion":"berth.dev/v1alpha1","kind":"Team","metadata":{"name":"webhooks-answer"},"spec":{}}`
	err := client.RESTClient().Post().AbsPath("/apis/berth.dev/v1alpha1/teams").
		Param("dryRun", metav1.DryRunAll).SetHeader("Content-Type", "application/json").Body([]byte(team)).Do(ctx).Error()
	if apierrors.IsInternalError(err) { // failed calling webhook
		return false, nil
	}
	return err == nil, err
}

// Log is the path of the manager's log.
func (m *Manager) Log() string { return m.program.Log() }

// Tail is the end of the manager's log, which is gone when the cluster is stopped.
func (m *Manager) Tail() string {
	raw, err := os.ReadFile(m.Log())
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	return fmt.Sprintf("the end of the manager's log:\n%s", bytes.Join(lines[max(0, len(lines)-tailLines):], []byte("\n")))
}

// PID is the id of the manager's process.
func (m *Manager) PID() int { return m.program.PID() }

// Stop stops the manager as a rolling update does.
func (m *Manager) Stop() error { return m.program.Stop(stopGrace) }

// Kill ends the manager as a crash does.
func (m *Manager) Kill() error { return m.program.Stop(0) }

func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
