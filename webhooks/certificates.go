package webhooks

import (
	"fmt"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/berth-dev/berth/internal/config"
)

// The names of the webhook configurations, whose CA bundles are filled.
const (
	configurationName    = "berth"
	podConfigurationName = "berth-pods"
)

// certificates returns a channel that is closed when the files with the certificate are there. Where the manager looks
// after them itself, it makes a CA and a certificate, keeps them in a Secret, which must be there and be mounted where the
// files are looked for, renews them in time, and writes the CA into the webhook configurations; every replica does, so that
// none waits for another.
func certificates(mgr ctrl.Manager, cfg *config.Webhook, namespace string) (<-chan struct{}, error) {
	ready := make(chan struct{})
	if cfg.Certificates != config.SelfManaged {
		close(ready)
		return ready, nil
	}
	host := fmt.Sprintf("%s.%s.svc", cfg.Service, namespace)
	return ready, rotator.AddRotator(mgr, &rotator.CertRotator{
		SecretKey:      types.NamespacedName{Namespace: namespace, Name: cfg.Secret},
		CertDir:        cfg.CertDir,
		CAName:         "berth-webhook-ca",
		CAOrganization: "berth",
		DNSName:        host,
		ExtraDNSNames:  []string{host + ".cluster.local", "localhost"},
		IsReady:        ready,
		FieldOwner:     "berth-certificates",
		ControllerName: "webhook-certificates",
		Webhooks: []rotator.WebhookInfo{
			{Name: configurationName, Type: rotator.Mutating},
			{Name: configurationName, Type: rotator.Validating},
			{Name: podConfigurationName, Type: rotator.Mutating},
		},
	})
}
