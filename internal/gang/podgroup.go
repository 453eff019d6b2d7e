package gang

import (
	"fmt"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// PodGroupName is the name of the PodGroup of an attempt. A PodGroup cannot be changed: the name changes with what it and
// the pods are made from. Nor does a gang take over that of another which had its name before and is not quite gone.
func PodGroupName(g *v1alpha1.GangJob, attempt int32) string {
	return fmt.Sprintf("%s-%d-%s", g.Name, attempt%attemptNumbers, printOf(g.UID, Ask(g), g.Spec.Runtime, g.Spec.Checkpoint)[:6])
}

// PodGroup makes kube-scheduler bind all pods of an attempt or none. It names no topology: each pod is pinned already.
func PodGroup(g *v1alpha1.GangJob, attempt int32) *schedulingv1beta1.PodGroup {
	return &schedulingv1beta1.PodGroup{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: g.Namespace, Name: PodGroupName(g, attempt), Labels: Selector(g), OwnerReferences: owner(g),
		},
		Spec: schedulingv1beta1.PodGroupSpec{
			SchedulingPolicy: schedulingv1beta1.PodGroupSchedulingPolicy{
				Gang: &schedulingv1beta1.GangSchedulingPolicy{MinCount: floor(g)},
			},
			DisruptionMode:    &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}},
			PriorityClassName: g.Spec.Tier.PriorityClassName(),
		},
	}
}

// floor is how many pods of a gang must run together.
func floor(g *v1alpha1.GangJob) int32 {
	var n int32
	for i := range g.Spec.Roles {
		n += g.Spec.Roles[i].Floor()
	}
	return n
}
