package devcluster_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/internal/devcluster"
)

// createPod creates a pod that holds a finalizer, so that its end can be looked at, and lets go of it after the test.
func createPod(ctx context.Context, t *testing.T, client kubernetes.Interface, annotations map[string]string) string {
	t.Helper()
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	pod, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "pod-", Annotations: annotations, Finalizers: []string{"example.com/look"}},
		Spec:       corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "c", Image: "example.com/c"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		after := context.WithoutCancel(ctx)
		err := pods.Delete(after, pod.Name, *metav1.NewDeleteOptions(0))
		if err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
		releasePod(after, t, client, pod.Name)
	})
	return pod.Name
}

func releasePod(ctx context.Context, t *testing.T, client kubernetes.Interface, name string) {
	t.Helper()
	_, err := client.CoreV1().Pods(metav1.NamespaceDefault).
		Patch(ctx, name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Error(err)
	}
}

// waitPod waits until a pod satisfies a condition and returns it.
func waitPod(ctx context.Context, t *testing.T, c *devcluster.Cluster, client kubernetes.Interface, name, description string, holds func(corev1.Pod) bool) corev1.Pod {
	t.Helper()
	var pod *corev1.Pod
	eventually(ctx, t, c, "pod "+name+" "+description, func(ctx context.Context) (bool, error) {
		var err error
		pod, err = client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
		return err == nil && holds(*pod), err
	})
	return *pod
}

func hasEnded(pod corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func TestStopFollowsTheAnnotations(t *testing.T) {
	for name, test := range map[string]struct {
		annotations map[string]string
		grace       int64 // seconds
		least, most time.Duration
		phase       corev1.PodPhase
		exitCode    int32
	}{
		"a program without a handler stops at once": {
			grace: 20, most: time.Second, phase: corev1.PodFailed, exitCode: 143,
		},
		"a handler that takes its time is given it": {
			annotations: map[string]string{devcluster.AnnotationStopAfter: "2s"},
			grace:       20, least: 2 * time.Second, most: 4 * time.Second, phase: corev1.PodFailed, exitCode: 143,
		},
		"a handler that takes too long is cut off by the grace period": {
			annotations: map[string]string{devcluster.AnnotationStopAfter: "1h"},
			grace:       2, least: time.Second, most: 4 * time.Second, phase: corev1.PodFailed, exitCode: 137,
		},
		"a program that ignores the signal is killed at the end of the grace period": {
			annotations: map[string]string{devcluster.AnnotationStopAfter: "never"},
			grace:       2, least: time.Second, most: 4 * time.Second, phase: corev1.PodFailed, exitCode: 137,
		},
		"a handler that exits with 0 makes the pod Succeeded": {
			annotations: map[string]string{devcluster.AnnotationStopExitCode: "0"},
			grace:       20, most: time.Second, phase: corev1.PodSucceeded,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, c, client := shared(t)
			pod := createPod(ctx, t, client, test.annotations)
			waitPod(ctx, t, c, client, pod, "is Ready", isReady)

			begin := time.Now()
			if err := client.CoreV1().Pods(metav1.NamespaceDefault).Delete(ctx, pod, *metav1.NewDeleteOptions(test.grace)); err != nil {
				t.Fatal(err)
			}
			ended := waitPod(ctx, t, c, client, pod, "has ended", hasEnded)
			took := time.Since(begin)
			if took < test.least || took > test.most+5*time.Second { // a busy machine adds to it
				t.Errorf("stopped after %v, want %v to %v", took, test.least, test.most)
			}
			if ended.Status.Phase != test.phase {
				t.Errorf("phase %s, want %s", ended.Status.Phase, test.phase)
			}
			if code := ended.Status.ContainerStatuses[0].State.Terminated.ExitCode; code != test.exitCode {
				t.Errorf("exit code %d, want %d", code, test.exitCode)
			}
			releasePod(ctx, t, client, pod)
			eventually(ctx, t, c, "pod "+pod+" is gone", func(ctx context.Context) (bool, error) {
				_, err := client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, pod, metav1.GetOptions{})
				if apierrors.IsNotFound(err) {
					return true, nil
				}
				return false, err
			})
		})
	}
}

func TestPodsMayFailToStart(t *testing.T) {
	ctx, c, client := shared(t)
	stuck := createPod(ctx, t, client, map[string]string{devcluster.AnnotationStartAfter: "never"})
	slow := createPod(ctx, t, client, map[string]string{devcluster.AnnotationStartAfter: "1s"})
	rejected := createPod(ctx, t, client, map[string]string{devcluster.AnnotationReject: "UnexpectedAdmissionError"})

	if pod := waitPod(ctx, t, c, client, rejected, "has ended", hasEnded); pod.Status.Reason != "UnexpectedAdmissionError" || pod.Status.Phase != corev1.PodFailed {
		t.Errorf("rejected pod: phase %s, reason %q", pod.Status.Phase, pod.Status.Reason)
	}
	waitPod(ctx, t, c, client, slow, "is Ready", isReady)
	pod, err := client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, stuck, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if pod.Status.Phase != corev1.PodPending || pod.Spec.NodeName == "" {
		t.Errorf("stuck pod: phase %s on node %q, want Pending and bound", pod.Status.Phase, pod.Spec.NodeName)
	}
}

func TestExitCodeAfterTheRun(t *testing.T) {
	ctx, c, client := shared(t)
	name := createPod(ctx, t, client, map[string]string{devcluster.AnnotationRunFor: "500ms", devcluster.AnnotationExitCode: "42"})
	pod := waitPod(ctx, t, c, client, name, "has ended", hasEnded)
	if code := pod.Status.ContainerStatuses[0].State.Terminated.ExitCode; code != 42 || pod.Status.Phase != corev1.PodFailed {
		t.Errorf("phase %s with exit code %d, want Failed with 42", pod.Status.Phase, code)
	}
}
