package e2e

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// ranks returns the node of each rank of a gang with one role, from the live pods.
func (w *world) ranks(g *v1alpha1.GangJob, pods int) []string {
	w.t.Helper()
	nodes := make([]string, pods)
	for _, p := range w.pods(g) {
		if p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodFailed {
			continue
		}
		i, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation])
		if err != nil || i >= pods {
			w.t.Fatalf("pod %s has rank %q", p.Name, p.Annotations[batchv1.JobCompletionIndexAnnotation])
		}
		nodes[i] = p.Spec.NodeName
	}
	return nodes
}
