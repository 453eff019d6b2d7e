package devmanager

import (
	"context"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/internal/devcluster"
)

const (
	// certs is the folder of the webhooks' certificate, below the manager's.
	certs = "certs"
	// secret holds the certificate that the manager makes.
	secret = "berth-webhook-cert"
)

// mountCertificate waits until the manager has filled the Secret and writes it to a folder, as the kubelet does with the
// Deployment's volume.
func mountCertificate(ctx context.Context, c *devcluster.Cluster, folder string) error {
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return c.WaitFor(ctx, "the manager has made its certificate", func(ctx context.Context) (bool, error) {
		found, err := client.CoreV1().Secrets(namespace).Get(ctx, secret, metav1.GetOptions{})
		if err != nil || len(found.Data["tls.key"]) == 0 {
			return false, err
		}
		for name, content := range found.Data {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}
