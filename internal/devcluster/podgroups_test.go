package devcluster_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/devcluster"
)

func TestPodGroupIsBoundWholeOrNotAtAll(t *testing.T) {
	ctx, c, client := shared(t)
	if !c.HasPodGroups() {
		t.Skipf("%s serves no PodGroups", c.Version())
	}
	taint := corev1.Taint{Key: "example.com/gang", Value: "true", Effect: corev1.TaintEffectNoSchedule}
	addNodes := func(name string, count int) {
		t.Helper()
		err := c.AddNodes(ctx, devcluster.NodeGroup{
			Count: count, Name: name, Taints: []corev1.Taint{taint},
			Labels:   map[string]string{rackLabel: "gang"},
			Capacity: map[corev1.ResourceName]string{gpu: "8"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	gang, late := unique("gang"), unique("late")
	addNodes(gang+"-{i}", 3)

	groups := client.SchedulingV1beta1().PodGroups(metav1.NamespaceDefault)
	_, err := groups.Create(ctx, &schedulingv1beta1.PodGroup{
		ObjectMeta: metav1.ObjectMeta{Name: gang},
		Spec: schedulingv1beta1.PodGroupSpec{
			SchedulingPolicy: schedulingv1beta1.PodGroupSchedulingPolicy{Gang: &schedulingv1beta1.GangSchedulingPolicy{MinCount: 4}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job := trainingJob(4, nil)
	job.Spec.Template.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &gang}
	job.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: taint.Key, Operator: corev1.TolerationOpExists}}
	startJob(ctx, t, client, job, gang+"-0", gang+"-1", gang+"-2", late)

	eventually(ctx, t, c, "the group of four does not fit on three nodes", func(ctx context.Context) (bool, error) {
		current, err := groups.Get(ctx, gang, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		condition := meta.FindStatusCondition(current.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled)
		return condition != nil && condition.Reason == schedulingv1beta1.PodGroupReasonUnschedulable, nil
	})
	podsOf(ctx, t, c, client, job.Name, 4, "no pod is bound", func(pod corev1.Pod) bool { return pod.Spec.NodeName == "" })

	addNodes(late, 1)
	podsOf(ctx, t, c, client, job.Name, 4, "all pods are Ready", isReady)
}
