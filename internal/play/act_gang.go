package play

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/simulate"
)

// parallel is how many gangs are submitted at once.
const parallel = 8

// submit creates gangs behind a gate, and waits until they have the Jobs that a start would release.
func (p *performance) submit(ctx context.Context, e simulate.Submit) error {
	made := make([]*v1alpha1.GangJob, len(e.Names))
	writers, writing := errgroup.WithContext(ctx)
	writers.SetLimit(parallel)
	for i, name := range e.Names {
		made[i] = gangJob(e.Namespace + "/" + name)
		made[i].Spec = p.speed.job(e.Job.Spec)
		made[i].Spec.Gates = append(made[i].Spec.Gates, gate)
		writers.Go(func() error { return p.api.Create(writing, made[i]) })
	}
	if err := writers.Wait(); err != nil {
		return err
	}
	for _, g := range made {
		p.gangs[g.Namespace+"/"+g.Name] = &actor{uid: g.UID, program: programOf(e.Job.Spec, e.Program)}
		p.ids[g.UID] = g.Namespace + "/" + g.Name
	}
	return p.Cluster.WaitFor(ctx, "all gangs have their Jobs", func(ctx context.Context) (bool, error) {
		for _, g := range made {
			var jobs batchv1.JobList
			err := p.api.List(ctx, &jobs, client.InNamespace(g.Namespace), client.MatchingLabels{v1alpha1.LabelGangUID: string(g.UID)})
			if err != nil || len(jobs.Items) < len(g.Spec.Roles) {
				return false, err
			}
		}
		return true, nil
	})
}

// open takes the gate away.
func (p *performance) open(ctx context.Context, e simulate.Submit) error {
	writers, writing := errgroup.WithContext(ctx)
	writers.SetLimit(parallel)
	last := len(e.Job.Spec.Gates) // where submit has put it
	patch := fmt.Appendf(nil, `[{"op": "test", "path": "/spec/gates/%d", "value": %q}, {"op": "remove", "path": "/spec/gates/%d"}]`, last, gate, last)
	for _, name := range e.Names {
		writers.Go(func() error {
			return p.api.Patch(writing, gangJob(e.Namespace+"/"+name), client.RawPatch(types.JSONPatchType, patch))
		})
	}
	return writers.Wait()
}

// remove deletes a gang, whose pods stop at once.
func (p *performance) remove(ctx context.Context, id string) error {
	a := p.gangs[id]
	if a == nil {
		return nil
	}
	delete(p.gangs, id)
	if err := p.stop(ctx, a, nil); err != nil {
		return err
	}
	if err := client.IgnoreNotFound(p.api.Delete(ctx, gangJob(id), client.PropagationPolicy(metav1.DeletePropagationBackground))); err != nil {
		return err
	}
	return p.Cluster.WaitFor(ctx, "the pods of "+id+" are gone", func(ctx context.Context) (bool, error) {
		pods, err := p.podsOf(ctx, a)
		return len(pods) == 0, err
	})
}

// gangJob is an empty GangJob of a name.
func gangJob(id string) *v1alpha1.GangJob {
	namespace, name, _ := strings.Cut(id, "/")
	return &v1alpha1.GangJob{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// edit changes the spec of an object as it is now.
func (s *Stage) edit(ctx context.Context, object client.Object, change func()) error {
	if err := s.api.Get(ctx, client.ObjectKeyFromObject(object), object); err != nil {
		return err
	}
	before, ok := object.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T cannot be copied", object)
	}
	change()
	return s.api.Patch(ctx, object, client.MergeFrom(before))
}
