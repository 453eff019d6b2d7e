package translate

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/berth-dev/berth/internal/engine"
)

// Pod converts what a pod asks of its node: requests, node selector, required node affinity and tolerations.
func Pod(spec *corev1.PodSpec) engine.Pod {
	return engine.Pod{Requests: Requests(spec), Selector: podSelector(spec), Tolerations: tolerations(spec.Tolerations)}
}

// Requests returns what a pod takes from its node, as kube-scheduler counts it: a limit stands for a request that is
// missing, init containers and native sidecars count where they need more than the containers, pod-level resources and
// overhead are respected, and the pod itself takes one of the node's pods.
func Requests(spec *corev1.PodSpec) engine.Amounts {
	pod := &corev1.Pod{Spec: *spec}
	pod.Spec.Containers = requestLimits(spec.Containers)
	pod.Spec.InitContainers = requestLimits(spec.InitContainers)
	if r := spec.Resources; r != nil {
		withDefaults := *r
		withDefaults.Requests = defaulted(r.Requests, r.Limits)
		pod.Spec.Resources = &withDefaults
	}
	amounts := Amounts(resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{}))
	amounts[string(corev1.ResourcePods)] = 1
	return amounts
}

// requestLimits does to templates what the API server does to pods: requests default to limits.
func requestLimits(containers []corev1.Container) []corev1.Container {
	out := make([]corev1.Container, len(containers))
	for i, c := range containers {
		c.Resources.Requests = defaulted(c.Resources.Requests, c.Resources.Limits)
		out[i] = c
	}
	return out
}

func defaulted(requests, limits corev1.ResourceList) corev1.ResourceList {
	out := maps.Clone(limits)
	if out == nil {
		out = corev1.ResourceList{}
	}
	maps.Copy(out, requests)
	return out
}

func tolerations(list []corev1.Toleration) []engine.Toleration {
	out := make([]engine.Toleration, 0, len(list))
	for _, t := range list {
		operator := t.Operator
		if operator == "" {
			operator = corev1.TolerationOpEqual
		}
		out = append(out, engine.Toleration{
			Key: t.Key, Operator: string(operator), Value: t.Value, Effect: string(t.Effect),
		})
	}
	return out
}
