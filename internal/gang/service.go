package gang

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Service gives the pods of a gang their names. They must find each other before they are ready.
func Service(g *v1alpha1.GangJob) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: g.Namespace, Name: ServiceName(g.Name), Labels: Selector(g), OwnerReferences: owner(g),
		},
		Spec: corev1.ServiceSpec{
			ClusterIP:                corev1.ClusterIPNone,
			Selector:                 Selector(g),
			PublishNotReadyAddresses: true,
		},
	}
}

// Budget keeps the eviction API from taking one pod of a gang, which would end them all. Pods of Jobs need an integer:
// it is the number of all pods.
func Budget(g *v1alpha1.GangJob) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: g.Namespace, Name: BudgetName(g.Name), Labels: Selector(g), OwnerReferences: owner(g),
		},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: new(intstr.FromInt32(Pods(g))),
			Selector:     &metav1.LabelSelector{MatchLabels: Selector(g)},
		},
	}
}
