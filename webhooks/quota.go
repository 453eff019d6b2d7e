package webhooks

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/validate"
)

// +kubebuilder:webhook:path=/validate-berth-dev-v1alpha1-quota,mutating=false,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=quotas,verbs=create;update,versions=v1alpha1,name=quota.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10

// quotas judges quotas; the schema fills all that they leave out.
type quotas struct{ *worldSource }

// ValidateCreate judges a new quota.
func (w *quotas) ValidateCreate(_ context.Context, q *v1alpha1.Quota) (admission.Warnings, error) {
	return nil, refusal("Quota", q.Name, validate.Quota(q, &validate.World{Limits: w.limits}))
}

// ValidateUpdate judges a change of a quota.
func (w *quotas) ValidateUpdate(_ context.Context, old, q *v1alpha1.Quota) (admission.Warnings, error) {
	return nil, refusal("Quota", q.Name, validate.QuotaUpdate(q, old, &validate.World{Limits: w.limits}))
}

// ValidateDelete lets every deletion pass.
func (w *quotas) ValidateDelete(context.Context, *v1alpha1.Quota) (admission.Warnings, error) {
	return nil, nil
}
