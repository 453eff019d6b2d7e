package webhooks

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/validate"
)

// +kubebuilder:webhook:path=/mutate-berth-dev-v1alpha1-topologydomain,mutating=true,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=topologydomains,verbs=create;update,versions=v1alpha1,name=topologydomain.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10
// +kubebuilder:webhook:path=/validate-berth-dev-v1alpha1-topologydomain,mutating=false,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=topologydomains,verbs=create;update,versions=v1alpha1,name=topologydomain.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10

// domains fills and judges pools and their domains.
type domains struct{}

// Default fills what a pool leaves out.
func (w *domains) Default(_ context.Context, d *v1alpha1.TopologyDomain) error {
	defaults.TopologyDomain(d)
	return nil
}

// ValidateCreate judges a new pool or domain.
func (w *domains) ValidateCreate(_ context.Context, d *v1alpha1.TopologyDomain) (admission.Warnings, error) {
	return nil, refusal("TopologyDomain", d.Name, validate.TopologyDomain(d))
}

// ValidateUpdate judges a change of a pool or domain.
func (w *domains) ValidateUpdate(_ context.Context, old, d *v1alpha1.TopologyDomain) (admission.Warnings, error) {
	return nil, refusal("TopologyDomain", d.Name, validate.TopologyDomainUpdate(d, old))
}

// ValidateDelete lets every deletion pass.
func (w *domains) ValidateDelete(context.Context, *v1alpha1.TopologyDomain) (admission.Warnings, error) {
	return nil, nil
}
