package gangjob

import (
	"context"
	"fmt"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/children"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/translate"
)

// resize gives Jobs as many pods as the slot has ranks. Where a part of the gang was told to leave, that is what it keeps;
// when the pods beyond are gone, that becomes its slot.
func (r *Reconciler) resize(ctx context.Context, s *scope) error {
	shrinking := ledger.Shrinking(s.job)
	assigned := s.job.Status.Assignment
	if shrinking {
		assigned = s.job.Status.Preemption.Next
	}
	slot, err := translate.Slot(assigned)
	if err != nil {
		return err
	}
	for i := range s.job.Spec.Roles {
		role := &s.job.Spec.Roles[i]
		j, pods := s.current()[role.Name], podsOf(slot, role)
		if pods == 0 || j.Spec.Completions == nil || *j.Spec.Completions == pods || children.Ended(j) {
			continue
		}
		next := j.DeepCopy()
		gang.Resize(next, pods)
		if err := r.Client.Patch(ctx, next, client.MergeFrom(j)); err != nil {
			return fmt.Errorf("resizing Job %s: %w", j.Name, err)
		}
	}
	if !shrinking {
		return nil
	}
	left, err := r.surplus(ctx, s, slot)
	if err != nil || left {
		return err
	}
	ledger.Shrunk(s.next)
	s.firm = true
	return nil
}

// surplus tells whether pods of the attempt are left beyond a slot, and removes those that nobody is left to end.
func (r *Reconciler) surplus(ctx context.Context, s *scope, slot engine.Slot) (bool, error) {
	pods, err := children.Pods(ctx, r.Client, s.job, s.current())
	if err != nil {
		return false, err
	}
	var beyond []*corev1.Pod
	for _, p := range pods {
		index, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation])
		if err != nil || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		for i := range s.job.Spec.Roles {
			role := &s.job.Spec.Roles[i]
			if role.InSlot() && role.Name == p.Labels[v1alpha1.LabelRole] && index >= int(podsOf(slot, role)) {
				beyond = append(beyond, p)
			}
		}
	}
	return len(beyond) > 0, children.Force(ctx, r.Client, beyond, r.State.NodeReady)
}

// podsOf is how many pods of a role a slot has; zero for one that has no place in it.
func podsOf(slot engine.Slot, role *v1alpha1.Role) int32 {
	for _, r := range slot.Roles {
		if r.Role == role.Name {
			return int32(len(r.Nodes))
		}
	}
	return 0
}
