package webhooks_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	children "github.com/berth-dev/berth/internal/gang"
)

// release creates the Job of an attempt of a gang's workers as the manager does, and lets it run.
func release(t *testing.T, g *v1alpha1.GangJob, attempt int32) *batchv1.Job {
	t.Helper()
	job := children.Job(g, &g.Spec.Roles[0], attempt, children.Options{})
	if err := manager.Create(t.Context(), job); err != nil {
		t.Fatalf("creating the Job: %v", err)
	}
	suspended := job.DeepCopy()
	children.Release(job, children.Where{}, false)
	if err := manager.Patch(t.Context(), job, client.MergeFrom(suspended)); err != nil {
		t.Fatalf("releasing the Job: %v", err)
	}
	return job
}

// podsOf lists a gang's pods.
func podsOf(ctx context.Context, g *v1alpha1.GangJob) ([]corev1.Pod, error) {
	var pods corev1.PodList
	err := admin.List(ctx, &pods, client.InNamespace(g.Namespace), client.MatchingLabels(children.Selector(g)))
	return pods.Items, err
}

func TestEachRankRunsOnItsNode(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "ring", "")
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	reserve(t, g, v1alpha1.BerthReserved, 1, "n3", "n1")
	release(t, g, 1)
	want := map[string]string{"0": "n3", "1": "n1"}
	eventually(t, "both ranks are bound", func(ctx context.Context) (bool, error) {
		pods, err := podsOf(ctx, g)
		bound := 0
		for i := range pods {
			if pods[i].Spec.NodeName != "" {
				bound++
			}
		}
		return bound == len(want), err
	})
	pods, err := podsOf(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pods {
		rank := pods[i].Annotations[batchv1.JobCompletionIndexAnnotation]
		if pods[i].Spec.NodeName != want[rank] {
			t.Errorf("rank %s is on node %s, want %s", rank, pods[i].Spec.NodeName, want[rank])
		}
		if got := pods[i].Annotations[children.AnnotationGangRank]; got != rank {
			t.Errorf("rank %s of the only role is told it is rank %q of the gang", rank, got)
		}
		if got := pods[i].Annotations[v1alpha1.AnnotationDomain]; got != "r0" {
			t.Errorf("rank %s is told its domain is %q, want r0", rank, got)
		}
	}
}

func TestNoPodOfAnAttemptWithoutASlotIsCreated(t *testing.T) {
	tests := map[string]struct {
		state   v1alpha1.BerthState
		attempt int32
	}{
		"planned only":         {v1alpha1.BerthPlanned, 1},
		"of a later attempt":   {v1alpha1.BerthReserved, 2},
		"promised for later":   {v1alpha1.BerthFuture, 1},
		"of an attempt before": {v1alpha1.BerthOccupied, 0},
	}
	number := 0
	for name, test := range tests {
		number++
		gangName := "g" + strconv.Itoa(number)
		t.Run(name, func(t *testing.T) {
			ns := namespace(t)
			g := gang(t, ns, gangName, "")
			if err := admin.Create(t.Context(), g); err != nil {
				t.Fatal(err)
			}
			reserve(t, g, test.state, test.attempt, "n0", "n1")
			job := release(t, g, 1)
			eventually(t, "the Job controller is refused", func(ctx context.Context) (bool, error) {
				var events corev1.EventList
				err := admin.List(ctx, &events, client.InNamespace(ns))
				for _, event := range events.Items {
					if event.InvolvedObject.Name == job.Name && strings.Contains(event.Message, "the gang has no berth for this attempt") {
						return true, nil
					}
				}
				return false, err
			})
			if pods, err := podsOf(t.Context(), g); err != nil || len(pods) > 0 {
				t.Errorf("%d pods were created (%v), want none", len(pods), err)
			}
		})
	}
}

func TestPodsThatAreOfNoGangAreNotAskedAbout(t *testing.T) {
	ns := namespace(t)
	pod := object[corev1.Pod](t, `{metadata: {name: plain, namespace: `+ns+`}, spec: {containers: [{name: main, image: x}]}}`)
	if err := admin.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	if pod.Spec.Affinity != nil {
		t.Errorf("the pod got affinity %v", pod.Spec.Affinity)
	}
}
