package validate

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// template checks the pod of a role.
func template(namespace string, r *v1alpha1.Role, world *World, at *field.Path) field.ErrorList {
	pod, spec := &r.Template.Spec, at.Child("spec")
	metadata := at.Child("metadata")
	errs := ownKeys(r.Template.Labels, metadata.Child("labels"))
	errs = append(errs, ownKeys(r.Template.Annotations, metadata.Child("annotations"))...)
	errs = append(errs, queueLabel(r.Template.Labels, metadata.Child("labels"))...)
	errs = append(errs, taken(pod, spec)...)
	if r.InSlot() {
		errs = append(errs, scheduling(pod, spec)...)
	}
	errs = append(errs, claims(namespace, pod, world, spec.Child("resourceClaims"))...)
	if len(pod.Containers) == 0 {
		errs = append(errs, field.Required(spec.Child("containers"), "a pod has at least one container"))
	}
	for i := range pod.InitContainers {
		errs = append(errs, resources(&pod.InitContainers[i], r, world, spec.Child("initContainers").Index(i).Child("resources"))...)
	}
	for i := range pod.Containers {
		errs = append(errs, resources(&pod.Containers[i], r, world, spec.Child("containers").Index(i).Child("resources"))...)
	}
	return errs
}

// taken refuses fields of a pod that Berth sets itself, or that would undo what it does.
func taken(pod *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if policy := pod.RestartPolicy; policy != corev1.RestartPolicyNever && policy != "" {
		errs = append(errs, refuse(at.Child("restartPolicy"), policy,
			"a gang is restarted as a whole (spec.restart), its pods never by themselves; use Never or leave it out")...)
	}
	if pod.HostPID {
		errs = append(errs, refuse(at.Child("hostPID"), true,
			"pods of a gang must not see the node's processes, to which checkpoint signals could go astray; remove it")...)
	}
	if name := pod.PriorityClassName; name != "" {
		errs = append(errs, refuse(at.Child("priorityClassName"), name, "is set by the gang's tier; remove it and set spec.tier")...)
	}
	if name := pod.NodeName; name != "" {
		errs = append(errs, refuse(at.Child("nodeName"), name, "would bypass placement; remove it, or narrow the nodes with nodeSelector")...)
	}
	if pod.SchedulingGroup != nil {
		errs = append(errs, refuse(at.Child("schedulingGroup"), "", "is set by Berth; remove it")...)
	}
	return errs
}

// scheduling refuses rules of kube-scheduler that the slot is not searched by, and which would leave pods pending in it.
func scheduling(pod *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	const remedy = "is not taken into account when a slot is searched; remove it and say with spec.topology and roles[].groups how close pods must be"
	if affinity := pod.Affinity; affinity != nil {
		if affinity.PodAffinity != nil {
			errs = append(errs, refuse(at.Child("affinity", "podAffinity"), "", "pod affinity "+remedy)...)
		}
		if affinity.PodAntiAffinity != nil {
			errs = append(errs, refuse(at.Child("affinity", "podAntiAffinity"), "", "pod anti-affinity "+remedy)...)
		}
	}
	for i := range pod.TopologySpreadConstraints {
		constraint := &pod.TopologySpreadConstraints[i]
		if constraint.WhenUnsatisfiable == corev1.DoNotSchedule || constraint.WhenUnsatisfiable == "" {
			errs = append(errs, refuse(at.Child("topologySpreadConstraints").Index(i).Child("whenUnsatisfiable"),
				constraint.WhenUnsatisfiable, "a spread that pods wait for "+remedy)...)
		}
	}
	return errs
}
