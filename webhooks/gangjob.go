package webhooks

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/validate"
)

// +kubebuilder:webhook:path=/mutate-berth-dev-v1alpha1-gangjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=gangjobs,verbs=create;update,versions=v1alpha1,name=gangjob.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10
// +kubebuilder:webhook:path=/validate-berth-dev-v1alpha1-gangjob,mutating=false,failurePolicy=fail,sideEffects=None,groups=berth.dev,resources=gangjobs,verbs=create;update,versions=v1alpha1,name=gangjob.berth.dev,admissionReviewVersions=v1,serviceName=berth-webhook,serviceNamespace=berth-system,timeoutSeconds=10

// gangJobs fills and judges gangs.
type gangJobs struct{ *worldSource }

// Default fills what a gang leaves out and stamps who created it.
func (w *gangJobs) Default(ctx context.Context, g *v1alpha1.GangJob) error {
	req, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	world, err := w.world(ctx)
	if err != nil {
		return err
	}
	team := world.TeamOf(namespaceOf(g, &req))
	if req.Operation == admissionv1.Create {
		defaults.GangJob(g, team, world.Pools)
		stamp(g, req.UserInfo.Username)
		return nil
	}
	var old v1alpha1.GangJob
	if err := json.Unmarshal(req.OldObject.Raw, &old); err != nil {
		return fmt.Errorf("decoding the gang as it was: %w", err)
	}
	refill(g, &old, team, world)
	if by, stamped := old.Annotations[v1alpha1.AnnotationSubmitter]; stamped && g.Annotations[v1alpha1.AnnotationSubmitter] == "" {
		stamp(g, by) // a manifest that replaces the object does not carry it
	}
	return nil
}

// refill fills a gang that is changed. What its berth rests on stays as it was where the change does not touch it, even
// if it would be filled otherwise by now.
func refill(g, old *v1alpha1.GangJob, team *v1alpha1.Team, world *validate.World) {
	if g.Spec.Tier == "" {
		g.Spec.Tier = old.Spec.Tier
	}
	untouched := equality.Semantic.DeepEqual(g.Spec.Roles, old.Spec.Roles) && equality.Semantic.DeepEqual(g.Spec.Topology, old.Spec.Topology)
	defaults.GangJob(g, team, world.Pools)
	if untouched {
		g.Spec.Roles, g.Spec.Topology = old.Spec.Roles, old.Spec.Topology
	}
}

func stamp(g *v1alpha1.GangJob, user string) {
	if g.Annotations == nil {
		g.Annotations = map[string]string{}
	}
	g.Annotations[v1alpha1.AnnotationSubmitter] = user
}

// namespaceOf is a gang's namespace, which its manifest need not name.
func namespaceOf(g *v1alpha1.GangJob, req *admission.Request) string {
	if g.Namespace != "" {
		return g.Namespace
	}
	return req.Namespace
}

// ValidateCreate judges a new gang.
func (w *gangJobs) ValidateCreate(ctx context.Context, g *v1alpha1.GangJob) (admission.Warnings, error) {
	world, err := w.world(ctx)
	if err != nil {
		return nil, err
	}
	return nil, refusal("GangJob", g.Name, validate.GangJob(g, world))
}

// ValidateUpdate judges a change of a gang.
func (w *gangJobs) ValidateUpdate(ctx context.Context, old, g *v1alpha1.GangJob) (admission.Warnings, error) {
	world, err := w.world(ctx)
	if err != nil {
		return nil, err
	}
	return nil, refusal("GangJob", g.Name, validate.GangJobUpdate(g, old, world))
}

// ValidateDelete lets every deletion pass.
func (w *gangJobs) ValidateDelete(context.Context, *v1alpha1.GangJob) (admission.Warnings, error) {
	return nil, nil
}
