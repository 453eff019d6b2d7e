package validate

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// resources checks what a container asks for.
func resources(c *corev1.Container, r *v1alpha1.Role, world *World, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := maps.Clone(c.Resources.Limits)
	if names == nil {
		names = corev1.ResourceList{}
	}
	maps.Copy(names, c.Resources.Requests)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !extended(name) {
			continue
		}
		errs = append(errs, wholeDevices(&c.Resources, name, at)...)
		if !r.InSlot() && world.isAccelerator(name) {
			amount := names[name]
			errs = append(errs, refuse(at.Child("limits").Key(string(name)), amount.String(),
				"a role with placement Free gets no accelerator; remove it or set placement to Slot")...)
		}
	}
	return errs
}

// wholeDevices wants a limit in whole pieces, and a request that is either the same or left out.
func wholeDevices(r *corev1.ResourceRequirements, name corev1.ResourceName, at *field.Path) field.ErrorList {
	limit, limited := r.Limits[name]
	request, requested := r.Requests[name]
	switch {
	case !limited:
		return refuse(at.Child("requests").Key(string(name)), request.String(),
			"devices are not shared: the limit must equal the request; set limits[%s] to %s", name, request.String())
	case requested && request.Cmp(limit) != 0:
		return refuse(at.Child("requests").Key(string(name)), request.String(),
			"devices are not shared: the request must equal the limit, which is %s; leave the request out", limit.String())
	case limit.MilliValue()%1000 != 0 || limit.Sign() < 0:
		return refuse(at.Child("limits").Key(string(name)), limit.String(), "must be a whole number of devices")
	}
	return nil
}

// extended is true of resources that are devices, not Kubernetes' own.
func extended(name corev1.ResourceName) bool {
	domain, _, found := strings.Cut(string(name), "/")
	return found && domain != "kubernetes.io" && !strings.HasSuffix(domain, ".kubernetes.io") &&
		!strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// claims refuses resource claims whose devices a slot would have to be searched by.
func claims(namespace string, pod *corev1.PodSpec, world *World, at *field.Path) field.ErrorList {
	uncounted := world.Limits.UncountedDrivers
	var errs field.ErrorList
	for i, claim := range pod.ResourceClaims {
		var drivers []string
		if world.ClaimDrivers != nil && len(uncounted) > 0 {
			drivers = world.ClaimDrivers(namespace, claim)
		}
		counted := func(driver string) bool { return !slices.Contains(uncounted, driver) }
		if len(drivers) == 0 || slices.ContainsFunc(drivers, counted) {
			errs = append(errs, refuse(at.Index(i).Child("name"), claim.Name,
				"resource claims are not counted when a slot is searched, and refused except for the drivers %s (the claim's: %s); "+
					"ask for devices by extended resource, or have the driver added to uncountedDrivers of the manager's configuration",
				list(uncounted), list(drivers))...)
		}
	}
	return errs
}
