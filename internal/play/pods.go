package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// podsOf lists the pods of a gang that have not ended, of all attempts.
func (p *performance) podsOf(ctx context.Context, a *actor) ([]corev1.Pod, error) {
	var list corev1.PodList
	if err := p.api.List(ctx, &list, client.MatchingLabels{v1alpha1.LabelGangUID: string(a.uid)}); err != nil {
		return nil, fmt.Errorf("listing pods: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool {
		return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	}), nil
}

// annotate tells the pretended program of a pod what to do. A pod that has gone needs no telling.
func (p *performance) annotate(ctx context.Context, pod *corev1.Pod, key, value string) error {
	if pod.Annotations[key] == value {
		return nil
	}
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, key, value)
	return client.IgnoreNotFound(p.api.Patch(ctx, pod, client.RawPatch(types.MergePatchType, patch)))
}

// finish makes the program of a gang end, or stop as it was told to.
func (p *performance) finish(ctx context.Context, id string, a *actor, stops bool) error {
	if stops {
		return p.stop(ctx, a, nil)
	}
	pods, err := p.podsOf(ctx, a)
	if err != nil {
		return err
	}
	for i := range pods {
		if err := p.annotate(ctx, &pods[i], devcluster.AnnotationFail, "0"); err != nil {
			return fmt.Errorf("ending %s: %w", id, err)
		}
	}
	return nil
}

// stop lets those pods of a gang stop at once when they are told to that are chosen; nil: all.
func (p *performance) stop(ctx context.Context, a *actor, chosen func(*corev1.Pod) bool) error {
	pods, err := p.podsOf(ctx, a)
	if err != nil {
		return err
	}
	for i := range pods {
		if chosen == nil || chosen(&pods[i]) {
			if err := p.annotate(ctx, &pods[i], devcluster.AnnotationStopAfter, "0s"); err != nil {
				return err
			}
		}
	}
	return nil
}

// nodesOf returns the node of each rank of a gang's present attempt, role after role, as the pods have them.
func (p *performance) nodesOf(ctx context.Context, a *actor) ([]string, error) {
	job := a.job
	var list corev1.PodList
	err := p.api.List(ctx, &list, client.InNamespace(job.Namespace), client.MatchingLabels{
		v1alpha1.LabelGangUID: string(job.UID), v1alpha1.LabelAttempt: strconv.Itoa(int(a.attempt)),
	})
	if err != nil {
		return nil, fmt.Errorf("listing the pods of %s: %w", job.Name, err)
	}
	var nodes []string
	for i := range job.Spec.Roles {
		role := &job.Spec.Roles[i]
		if !role.InSlot() {
			continue
		}
		byRank := map[int]string{}
		for k := range list.Items {
			pod := &list.Items[k]
			if pod.Labels[v1alpha1.LabelRole] == role.Name && pod.DeletionTimestamp == nil {
				byRank[rankOf(pod)] = pod.Spec.NodeName
			}
		}
		for rank := range len(byRank) {
			nodes = append(nodes, byRank[rank])
		}
	}
	return nodes, nil
}

// rankOf is a pod's rank in its role.
func rankOf(pod *corev1.Pod) int {
	rank, err := strconv.Atoi(pod.Annotations[batchv1.JobCompletionIndexAnnotation])
	if err != nil {
		return -1
	}
	return rank
}

// inPlace tells whether the pods of a gang are where its slot says.
func (p *performance) inPlace(ctx context.Context, a *actor) (bool, error) {
	nodes, err := p.nodesOf(ctx, a)
	return a.seen.berth == nil || slices.Equal(nodes, ranks(a.seen.berth.Slot)), err
}
