package gang

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// PodGroup makes kube-scheduler bind all pods of an attempt or none. It names no topology: each pod is pinned already.
func PodGroup(g *v1alpha1.GangJob, attempt int32) *schedulingv1beta1.PodGroup {
	return &schedulingv1beta1.PodGroup{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: g.Namespace, Name: PodGroupName(g.Name, attempt), Labels: Selector(g), OwnerReferences: owner(g),
		},
		Spec: schedulingv1beta1.PodGroupSpec{
			SchedulingPolicy: schedulingv1beta1.PodGroupSchedulingPolicy{
				Gang: &schedulingv1beta1.GangSchedulingPolicy{MinCount: Pods(g)},
			},
			DisruptionMode:    &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}},
			PriorityClassName: g.Spec.Tier.PriorityClassName(),
		},
	}
}
