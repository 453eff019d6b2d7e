package demo

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// order is a gang of the story: so many pods of a whole node each, all in one rack.
type order struct {
	namespace, name string
	tier            v1alpha1.Tier
	pods            int32
	saves           time.Duration // how long its programs take to end when told to
}

// gangJob is the manifest of the order.
func (o order) gangJob() *v1alpha1.GangJob {
	gpus := resource.NewQuantity(gpusPerNode, resource.DecimalSI)
	return &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: o.namespace, Name: o.name},
		Spec: v1alpha1.GangJobSpec{
			Tier: o.tier,
			Pool: pool,
			Roles: []v1alpha1.Role{{
				Name:     "worker",
				Replicas: o.pods,
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{devcluster.AnnotationStopAfter: o.saves.String()}},
					Spec: corev1.PodSpec{Containers: []corev1.Container{{
						Name:  "trainer",
						Image: "registry.example.com/trainer:1",
						Resources: corev1.ResourceRequirements{
							Requests: corev1.ResourceList{gpu: *gpus},
							Limits:   corev1.ResourceList{gpu: *gpus},
						},
					}}},
				},
			}},
			Topology: &v1alpha1.TopologyRequest{Required: "rack"},
		},
	}
}
