package e2e

import (
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
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

// failRank makes the program of a rank of a gang exit with 1.
func (w *world) failRank(g *v1alpha1.GangJob, rank int) {
	w.t.Helper()
	for _, p := range w.pods(g) {
		if p.Annotations[batchv1.JobCompletionIndexAnnotation] == strconv.Itoa(rank) && p.DeletionTimestamp == nil {
			w.must(admin.Patch(w.ctx(time.Minute), &p, annotate(devcluster.AnnotationFail, "1")), "failing rank %d", rank)
			return
		}
	}
	w.t.Fatalf("gang %s has no pod of rank %d", g.Name, rank)
}

// suspend holds a gang, or lets it go.
func (w *world) suspend(g *v1alpha1.GangJob, hold bool) {
	w.t.Helper()
	now := w.get(g)
	before := now.DeepCopy()
	now.Spec.Suspend = hold
	w.must(admin.Patch(w.ctx(time.Minute), now, client.MergeFrom(before)), "setting suspend to %t", hold)
}
