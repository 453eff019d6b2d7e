package webhooks

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/validate"
)

// +kubebuilder:webhook:path=/mutate-berth-dev-v1alpha1-team,mutating=true,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=teams,verbs=create;update,versions=v1alpha1,name=team.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10
// +kubebuilder:webhook:path=/validate-berth-dev-v1alpha1-team,mutating=false,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=teams,verbs=create;update,versions=v1alpha1,name=team.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10

// teams fills and judges teams.
type teams struct{ *worldSource }

// Default fills what a team leaves out.
func (w *teams) Default(_ context.Context, t *v1alpha1.Team) error {
	defaults.Team(t)
	return nil
}

// ValidateCreate judges a new team.
func (w *teams) ValidateCreate(ctx context.Context, t *v1alpha1.Team) (admission.Warnings, error) {
	world, err := w.world(ctx)
	if err != nil {
		return nil, err
	}
	return nil, refusal("Team", t.Name, validate.Team(t, world))
}

// ValidateUpdate judges a change of a team.
func (w *teams) ValidateUpdate(ctx context.Context, old, t *v1alpha1.Team) (admission.Warnings, error) {
	world, err := w.world(ctx)
	if err != nil {
		return nil, err
	}
	return nil, refusal("Team", t.Name, validate.TeamUpdate(t, old, world))
}

// ValidateDelete lets every deletion pass.
func (w *teams) ValidateDelete(context.Context, *v1alpha1.Team) (admission.Warnings, error) {
	return nil, nil
}
