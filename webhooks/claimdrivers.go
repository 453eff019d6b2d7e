package webhooks

import (
	"context"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// driverRule is how a DeviceClass says in CEL whose devices it means.
var driverRule = regexp.MustCompile(`device\.driver\s*==\s*["']([a-z0-9.-]+)["']`)

// claimDrivers lists the drivers whose devices a pod's resource claim asks for, none if any of them cannot be told. Claims
// are rare, so that they are read live.
func (s *worldSource) claimDrivers(ctx context.Context, namespace string, claim corev1.PodResourceClaim) []string {
	drivers, err := s.readClaim(ctx, namespace, claim)
	if err != nil {
		log.FromContext(ctx).Info("A resource claim cannot be read and is refused", "claim", claim.Name, "error", err.Error())
		return nil
	}
	return drivers
}

func (s *worldSource) readClaim(ctx context.Context, namespace string, claim corev1.PodResourceClaim) ([]string, error) {
	var spec *resourcev1.ResourceClaimSpec
	switch {
	case claim.ResourceClaimTemplateName != nil:
		var template resourcev1.ResourceClaimTemplate
		if err := s.live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: *claim.ResourceClaimTemplateName}, &template); err != nil {
			return nil, err
		}
		spec = &template.Spec.Spec
	case claim.ResourceClaimName != nil:
		var existing resourcev1.ResourceClaim
		if err := s.live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: *claim.ResourceClaimName}, &existing); err != nil {
			return nil, err
		}
		spec = &existing.Spec
	default:
		return nil, nil
	}
	var drivers []string
	for _, class := range deviceClasses(spec) {
		var deviceClass resourcev1.DeviceClass
		if err := s.live.Get(ctx, client.ObjectKey{Name: class}, &deviceClass); err != nil {
			return nil, err
		}
		named := driversOf(&deviceClass)
		if len(named) == 0 {
			return nil, nil
		}
		drivers = append(drivers, named...)
	}
	return drivers, nil
}

// deviceClasses are those that a claim asks for, alternatives included.
func deviceClasses(spec *resourcev1.ResourceClaimSpec) []string {
	var classes []string
	for _, request := range spec.Devices.Requests {
		if request.Exactly != nil {
			classes = append(classes, request.Exactly.DeviceClassName)
		}
		for _, alternative := range request.FirstAvailable {
			classes = append(classes, alternative.DeviceClassName)
		}
	}
	return classes
}

// driversOf are the drivers that a class names.
func driversOf(class *resourcev1.DeviceClass) []string {
	var drivers []string
	for _, selector := range class.Spec.Selectors {
		if selector.CEL == nil {
			continue
		}
		for _, match := range driverRule.FindAllStringSubmatch(selector.CEL.Expression, -1) {
			drivers = append(drivers, match[1])
		}
	}
	return drivers
}
