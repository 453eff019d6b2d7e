package devcluster_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/internal/devcluster"
)

// trainingJob is a suspended Indexed Job of pods that each take the GPUs of a whole node.
func trainingJob(pods int32, annotations map[string]string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: unique("train"), Namespace: metav1.NamespaceDefault},
		Spec: batchv1.JobSpec{
			Suspend:              new(true),
			Parallelism:          &pods,
			Completions:          &pods,
			CompletionMode:       ptr.To(batchv1.IndexedCompletion),
			BackoffLimit:         ptr.To[int32](0),
			PodReplacementPolicy: ptr.To(batchv1.Failed),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Annotations: annotations},
				Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyNever,
					Containers: []corev1.Container{{
						Name:  "train",
						Image: "example.com/train",
						Resources: corev1.ResourceRequirements{
							Limits: corev1.ResourceList{gpu: resource.MustParse("8")},
						},
					}},
				},
			},
		},
	}
}

// startJob creates a Job and lets it run on the nodes named.
func startJob(ctx context.Context, t *testing.T, client kubernetes.Interface, job *batchv1.Job, nodes ...string) {
	t.Helper()
	jobs := client.BatchV1().Jobs(job.Namespace)
	job, err := jobs.Create(ctx, job, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := jobs.Delete(context.WithoutCancel(ctx), job.Name, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)})
		if err != nil {
			t.Error(err)
		}
	})
	affinity := &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: nodes,
			}},
		}}},
	}}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{
		"suspend":  false,
		"template": map[string]any{"spec": map[string]any{"affinity": affinity}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Patch(ctx, job.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// podsOf waits until as many pods of a Job satisfy a condition as it says, and returns all of its pods.
func podsOf(ctx context.Context, t *testing.T, c *devcluster.Cluster, client kubernetes.Interface, job string, n int, description string, holds func(corev1.Pod) bool) []corev1.Pod {
	t.Helper()
	var pods []corev1.Pod
	eventually(ctx, t, c, description, func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job})
		if err != nil {
			return false, err
		}
		pods = list.Items
		matching := 0
		for _, pod := range pods {
			if holds(pod) {
				matching++
			}
		}
		return matching == n, nil
	})
	return pods
}

func isReady(pod corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func jobCondition(ctx context.Context, t *testing.T, c *devcluster.Cluster, client kubernetes.Interface, name string, kind batchv1.JobConditionType) batchv1.JobCondition {
	t.Helper()
	var found batchv1.JobCondition
	eventually(ctx, t, c, "job "+name+" is "+string(kind), func(ctx context.Context) (bool, error) {
		job, err := client.BatchV1().Jobs(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range job.Status.Conditions {
			if condition.Type == kind && condition.Status == corev1.ConditionTrue {
				found = condition
				return true, nil
			}
		}
		return false, nil
	})
	return found
}

func TestJobRunsOnTheNamedNodesAndSucceeds(t *testing.T) {
	ctx, c, client := shared(t)
	nodes := []string{"n0", "n1", "n2", "n3"}
	job := trainingJob(4, map[string]string{devcluster.AnnotationRunFor: "2s"})
	startJob(ctx, t, client, job, nodes...)

	pods := podsOf(ctx, t, c, client, job.Name, 4, "all pods are Ready", isReady)
	var used []string
	for _, pod := range pods {
		used = append(used, pod.Spec.NodeName)
		if pod.Status.PodIP == "" {
			t.Errorf("pod %s has no address", pod.Name)
		}
	}
	slices.Sort(used)
	if diff := cmp.Diff(nodes, used); diff != "" {
		t.Errorf("nodes used (-want +got):\n%s", diff)
	}

	jobCondition(ctx, t, c, client, job.Name, batchv1.JobComplete)
	for _, pod := range podsOf(ctx, t, c, client, job.Name, 4, "all pods have Succeeded", phaseIs(corev1.PodSucceeded)) {
		end := pod.Status.ContainerStatuses[0].State.Terminated
		if end == nil || end.ExitCode != 0 {
			t.Errorf("pod %s ended as %+v, want exit code 0", pod.Name, end)
			continue
		}
		if ran := end.FinishedAt.Sub(end.StartedAt.Time).Seconds(); ran < 1 || ran > 10 { // stored in whole seconds
			t.Errorf("pod %s ran %v s, want about 2", pod.Name, ran)
		}
	}
}

func phaseIs(phase corev1.PodPhase) func(corev1.Pod) bool {
	return func(pod corev1.Pod) bool { return pod.Status.Phase == phase }
}

func TestFailingPodFailsItsJob(t *testing.T) {
	ctx, c, client := shared(t)
	job := trainingJob(2, nil)
	startJob(ctx, t, client, job, "n4", "n5")
	pods := podsOf(ctx, t, c, client, job.Name, 2, "all pods are Ready", isReady)

	patch := []byte(`{"metadata":{"annotations":{"` + devcluster.AnnotationFail + `":"3"}}}`)
	if _, err := client.CoreV1().Pods(metav1.NamespaceDefault).Patch(ctx, pods[0].Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	condition := jobCondition(ctx, t, c, client, job.Name, batchv1.JobFailed)
	if condition.Reason != batchv1.JobReasonBackoffLimitExceeded {
		t.Errorf("reason %q, want %q", condition.Reason, batchv1.JobReasonBackoffLimitExceeded)
	}
	failed, err := client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, pods[0].Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if end := failed.Status.ContainerStatuses[0].State.Terminated; end == nil || end.ExitCode != 3 {
		t.Errorf("container ended as %+v, want exit code 3", end)
	}
}

func TestSuspendedJobIsReplacedOnlyWhenItsPodsHaveEnded(t *testing.T) {
	ctx, c, client := shared(t)
	job := trainingJob(2, map[string]string{devcluster.AnnotationStopAfter: "2s"})
	startJob(ctx, t, client, job, "n6", "n7")
	podsOf(ctx, t, c, client, job.Name, 2, "all pods are Ready", isReady)

	suspend := func(value string) {
		t.Helper()
		_, err := client.BatchV1().Jobs(metav1.NamespaceDefault).
			Patch(ctx, job.Name, types.MergePatchType, []byte(`{"spec":{"suspend":`+value+`}}`), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	suspend("true")
	told := podsOf(ctx, t, c, client, job.Name, 2, "all pods are told to stop", func(pod corev1.Pod) bool {
		return pod.DeletionTimestamp != nil && pod.Status.Phase == corev1.PodRunning
	})
	suspend("false")
	old := map[types.UID]bool{}
	for _, pod := range told {
		old[pod.UID] = true
	}
	// between the stop and the end no new pod may appear
	eventually(ctx, t, c, "the next pods run", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job.Name})
		if err != nil {
			return false, err
		}
		running, fresh := 0, 0
		for _, pod := range list.Items {
			if old[pod.UID] && pod.Status.Phase == corev1.PodRunning {
				running++
			}
			if !old[pod.UID] && isReady(pod) {
				fresh++
			}
		}
		if running+fresh > 2 {
			t.Errorf("%d old pods run beside %d new ones", running, fresh)
		}
		return fresh == 2, nil
	})
}
