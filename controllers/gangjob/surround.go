package gangjob

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/gang"
)

// nameInterval is how often it is looked whether a name that was taken is free: nothing tells when it is.
const nameInterval = 30 * time.Second

// surround makes what lasts for the gang's whole life.
func (r *Reconciler) surround(ctx context.Context, s *scope) error {
	if s.job.Status.Phase.Finished() {
		return nil
	}
	if err := r.create(ctx, s, "Service", gang.Service(s.job), &corev1.Service{}); err != nil {
		return err
	}
	want, found := gang.Budget(s.job), &policyv1.PodDisruptionBudget{}
	if err := r.create(ctx, s, "PodDisruptionBudget", want, found); err != nil || !metav1.IsControlledBy(found, s.job) ||
		found.Spec.MinAvailable == nil || *found.Spec.MinAvailable == *want.Spec.MinAvailable {
		return err
	}
	next := found.DeepCopy()
	next.Spec.MinAvailable = want.Spec.MinAvailable
	return r.Client.Patch(ctx, next, client.MergeFrom(found))
}

// create makes a child unless it is there, and reads it into found if it is.
func (r *Reconciler) create(ctx context.Context, s *scope, kind string, want, found client.Object) error {
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(want), found)
	switch {
	case apierrors.IsNotFound(err):
		err = r.Client.Create(ctx, want)
		if apierrors.IsAlreadyExists(err) {
			return nil // made a moment ago; the watch brings it
		}
		return err
	case err == nil && !metav1.IsControlledBy(found, s.job):
		r.inTheWay(s, kind, found)
	}
	return err
}

// inTheWay tells the user that a child's name is taken, which is the user's to free, and looks again later. A gang that
// waits does not start before that; one that has a berth goes on. What a gang that had the name before has left goes by
// itself.
func (r *Reconciler) inTheWay(s *scope, kind string, found client.Object) {
	s.done = s.done || s.job.Status.Berth == nil
	s.within(nameInterval)
	if owner := metav1.GetControllerOf(found); owner == nil || owner.Kind != "GangJob" || owner.Name != s.job.Name {
		events.Record(r.Recorder, s.job, events.NameTaken(kind, found.GetName()))
	}
}
