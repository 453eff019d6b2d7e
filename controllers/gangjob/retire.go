package gangjob

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/children"
	"github.com/berth-dev/berth/internal/gang"
)

// retire stops and removes the Jobs of earlier attempts. Until their pods are gone nothing else happens.
func (r *Reconciler) retire(ctx context.Context, s *scope) error {
	for attempt, jobs := range s.jobs {
		if attempt >= s.attempt {
			continue
		}
		if err := children.Stop(ctx, r.Client, jobs); err != nil {
			return err
		}
		if !children.Stopped(jobs) || !r.State.Gone(client.ObjectKeyFromObject(s.job), int(attempt)) {
			s.done = true
			if err := r.force(ctx, s.job, jobs); err != nil {
				return err
			}
			continue
		}
		if asksOtherwise(s.job, jobs) { // its tier was changed while it ran
			if err := r.queueAnew(ctx, s); err != nil {
				return err
			}
		}
		if err := r.remove(ctx, jobs); err != nil {
			return err
		}
	}
	return nil
}

// asksOtherwise tells whether a gang asks for something else than when Jobs of it were made.
func asksOtherwise(g *v1alpha1.GangJob, jobs map[string]*batchv1.Job) bool {
	ask := gang.Ask(g)
	for _, j := range jobs {
		if j.Annotations[gang.AnnotationAsk] != ask {
			return true
		}
	}
	return false
}

// remove deletes Jobs, and the PodGroup of their pods.
func (r *Reconciler) remove(ctx context.Context, jobs map[string]*batchv1.Job) error {
	groups := map[string]*schedulingv1beta1.PodGroup{}
	for _, j := range jobs {
		if g := j.Spec.Template.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil {
			groups[*g.PodGroupName] = &schedulingv1beta1.PodGroup{
				ObjectMeta: metav1.ObjectMeta{Namespace: j.Namespace, Name: *g.PodGroupName},
			}
		}
	}
	for name, group := range groups {
		if err := client.IgnoreNotFound(r.Client.Delete(ctx, group)); err != nil {
			return fmt.Errorf("deleting PodGroup %s: %w", name, err)
		}
	}
	return children.Delete(ctx, r.Client, jobs)
}

// force removes pods on nodes that cannot end them.
func (r *Reconciler) force(ctx context.Context, g *v1alpha1.GangJob, jobs map[string]*batchv1.Job) error {
	pods, err := children.Pods(ctx, r.Client, g, jobs)
	if err != nil {
		return err
	}
	return children.Force(ctx, r.Client, pods, r.State.NodeReady)
}
