package children

import (
	"context"
	"fmt"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Jobs returns the Jobs of a gang by attempt and role, those being deleted included. Labels find them; only those that
// the gang owns count.
func Jobs(ctx context.Context, c client.Reader, g *v1alpha1.GangJob) (map[int32]map[string]*batchv1.Job, error) {
	var list batchv1.JobList
	err := c.List(ctx, &list, client.InNamespace(g.Namespace), client.MatchingLabels{v1alpha1.LabelGangUID: string(g.UID)})
	if err != nil {
		return nil, fmt.Errorf("listing the Jobs of GangJob %s/%s: %w", g.Namespace, g.Name, err)
	}
	out := map[int32]map[string]*batchv1.Job{}
	for i := range list.Items {
		j := &list.Items[i]
		attempt, err := strconv.ParseInt(j.Labels[v1alpha1.LabelAttempt], 10, 32)
		if err != nil || !metav1.IsControlledBy(j, g) {
			continue
		}
		if out[int32(attempt)] == nil {
			out[int32(attempt)] = map[string]*batchv1.Job{}
		}
		out[int32(attempt)][j.Labels[v1alpha1.LabelRole]] = j
	}
	return out, nil
}

// Pods returns the pods of a gang's attempt. Labels find them; only those that one of its Jobs owns count.
func Pods(ctx context.Context, c client.Reader, g *v1alpha1.GangJob, jobs map[string]*batchv1.Job) ([]*corev1.Pod, error) {
	var list corev1.PodList
	err := c.List(ctx, &list, client.InNamespace(g.Namespace), client.MatchingLabels{v1alpha1.LabelGangUID: string(g.UID)})
	if err != nil {
		return nil, fmt.Errorf("listing the pods of GangJob %s/%s: %w", g.Namespace, g.Name, err)
	}
	var out []*corev1.Pod
	for i := range list.Items {
		for _, j := range jobs {
			if metav1.IsControlledBy(&list.Items[i], j) {
				out = append(out, &list.Items[i])
			}
		}
	}
	return out, nil
}

// Stop suspends the Jobs that have not ended: their pods get SIGTERM and their own grace.
func Stop(ctx context.Context, c client.Client, jobs map[string]*batchv1.Job) error {
	for _, j := range jobs {
		if ptr.Deref(j.Spec.Suspend, false) || Ended(j) || j.DeletionTimestamp != nil {
			continue
		}
		next := j.DeepCopy()
		next.Spec.Suspend = new(true)
		if err := c.Patch(ctx, next, client.MergeFrom(j)); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("suspending Job %s/%s: %w", j.Namespace, j.Name, err)
		}
	}
	return nil
}

// Stopped tells whether all Jobs have ended, or were suspended and have no pod left that runs or terminates.
func Stopped(jobs map[string]*batchv1.Job) bool {
	for _, j := range jobs {
		if Ended(j) {
			continue
		}
		if !ptr.Deref(j.Spec.Suspend, false) || j.Status.Active > 0 || ptr.Deref(j.Status.Terminating, 0) > 0 {
			return false
		}
		if j.Status.StartTime != nil && !has(j, batchv1.JobSuspended) {
			return false // the Job controller has not looked at it since
		}
	}
	return true
}

// Delete removes Jobs, and what is left of their pods with them.
func Delete(ctx context.Context, c client.Client, jobs map[string]*batchv1.Job) error {
	for _, j := range jobs {
		if j.DeletionTimestamp != nil {
			continue
		}
		err := c.Delete(ctx, j, client.PropagationPolicy(metav1.DeletePropagationBackground), client.Preconditions{UID: &j.UID})
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("deleting Job %s/%s: %w", j.Namespace, j.Name, err)
		}
	}
	return nil
}

// Ended tells whether a Job is complete or has failed.
func Ended(j *batchv1.Job) bool { return has(j, batchv1.JobComplete) || has(j, batchv1.JobFailed) }

func has(j *batchv1.Job, kind batchv1.JobConditionType) bool {
	for _, c := range j.Status.Conditions {
		if c.Type == kind {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
