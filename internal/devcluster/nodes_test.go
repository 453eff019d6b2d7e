package devcluster_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/devcluster"
)

func TestNodesAreAsTheirGroupSays(t *testing.T) {
	ctx, c, client := shared(t)
	spare := unique("spare")
	taint := corev1.Taint{Key: "example.com/spare", Value: "true", Effect: corev1.TaintEffectNoSchedule}
	err := c.AddNodes(ctx, devcluster.NodeGroup{
		Count:    4,
		Name:     spare + "-{i/2}-{i%2}",
		Labels:   map[string]string{rackLabel: "spare{i/2}"},
		Taints:   []corev1.Taint{taint},
		Capacity: map[corev1.ResourceName]string{gpu: "{i+4}", corev1.ResourcePods: "20"},
	})
	if err != nil {
		t.Fatal(err)
	}
	node, err := client.CoreV1().Nodes().Get(ctx, spare+"-1-1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := node.Labels[corev1.LabelHostname] + " " + node.Labels[rackLabel]; got != spare+"-1-1 spare1" {
		t.Errorf("hostname and rack %q, want %q", got, spare+"-1-1 spare1")
	}
	if diff := cmp.Diff([]corev1.Taint{taint}, node.Spec.Taints); diff != "" {
		t.Errorf("taints (-want +got):\n%s", diff)
	}
	for res, want := range map[corev1.ResourceName]string{gpu: "7", corev1.ResourcePods: "20", corev1.ResourceCPU: "192"} {
		if got := node.Status.Allocatable[res]; got.String() != want {
			t.Errorf("allocatable %s is %s, want %s", res, got.String(), want)
		}
	}
}

func TestNodeGroupsThatCannotBeAreRefused(t *testing.T) {
	ctx, c, _ := shared(t)
	for name, test := range map[string]struct {
		group devcluster.NodeGroup
		want  string
	}{
		"a name that is no pattern":         {devcluster.NodeGroup{Count: 1, Name: "x{j}"}, "{j} is no expression of i"},
		"a label that divides by zero":      {devcluster.NodeGroup{Count: 1, Name: "x", Labels: map[string]string{"a": "{i%0}"}}, "divides by zero"},
		"a capacity that is no quantity":    {devcluster.NodeGroup{Count: 1, Name: "x", Capacity: map[corev1.ResourceName]string{gpu: "many"}}, `"many"`},
		"a brace that is never closed":      {devcluster.NodeGroup{Count: 1, Name: "x{i"}, "brace without its partner"},
		"a name that two nodes would carry": {devcluster.NodeGroup{Count: 2, Name: unique("same") + "-{i/2}"}, "already exists"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.AddNodes(ctx, test.group)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestFailedNodeFreezesItsPodsUntilItRecovers(t *testing.T) {
	ctx, c, client := shared(t)
	mortal, doomed, deleted := unique("mortal"), unique("doomed"), unique("deleted")
	if err := c.AddNodes(ctx, devcluster.NodeGroup{Count: 1, Name: mortal}); err != nil {
		t.Fatal(err)
	}
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	place := func(name string, annotations map[string]string) {
		t.Helper()
		_, err := pods.Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: annotations},
			Spec: corev1.PodSpec{
				NodeName:      mortal,
				RestartPolicy: corev1.RestartPolicyNever,
				Containers:    []corev1.Container{{Name: "c", Image: "example.com/c"}},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		waitPod(ctx, t, c, client, name, "is Ready", isReady)
	}
	place(doomed, map[string]string{devcluster.AnnotationRunFor: "5s"})
	place(deleted, nil)

	if err := c.FailNode(ctx, mortal); err != nil {
		t.Fatal(err)
	}
	eventually(ctx, t, c, "the node is tainted unreachable", func(ctx context.Context) (bool, error) {
		node, err := client.CoreV1().Nodes().Get(ctx, mortal, metav1.GetOptions{})
		return err == nil && slices.ContainsFunc(node.Spec.Taints, func(taint corev1.Taint) bool {
			return taint.Key == corev1.TaintNodeUnreachable && taint.Effect == corev1.TaintEffectNoExecute
		}), err
	})
	if err := pods.Delete(ctx, deleted, *metav1.NewDeleteOptions(1)); err != nil {
		t.Fatal(err)
	}

	// a pod elsewhere runs longer than the doomed one would have: by its end that would be over
	witness := createPod(ctx, t, client, map[string]string{devcluster.AnnotationRunFor: "5s"})
	waitPod(ctx, t, c, client, witness, "has ended", hasEnded)
	for _, name := range []string{doomed, deleted} {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			t.Fatalf("pod %s on a dead node: %v", name, err)
		}
		if pod.Status.Phase != corev1.PodRunning || isReady(*pod) {
			t.Errorf("pod %s on a dead node: phase %s, ready %v; want Running, not ready", name, pod.Status.Phase, isReady(*pod))
		}
	}

	if err := c.RecoverNode(ctx, mortal); err != nil {
		t.Fatal(err)
	}
	waitPod(ctx, t, c, client, doomed, "has Succeeded", phaseIs(corev1.PodSucceeded))
	eventually(ctx, t, c, "the deleted pod is gone", func(ctx context.Context) (bool, error) {
		list, err := pods.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + deleted})
		return err == nil && len(list.Items) == 0, err
	})
}
