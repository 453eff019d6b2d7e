package state

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Feed connects the cache to the informers that tell it of the cluster. The returned function waits until all that was
// there at the start has been told; before that nothing may be decided.
func (c *Cache) Feed(ctx context.Context, informers cache.Informers) (wait func(context.Context) bool, err error) {
	f := feeder{ctx: ctx, informers: informers}
	feed(&f, &corev1.Namespace{}, c.SetNamespace, func(n *corev1.Namespace) { c.RemoveNamespace(n.Name) })
	feed(&f, &corev1.Node{}, c.SetNode, func(n *corev1.Node) { c.RemoveNode(n.Name) })
	feed(&f, &v1alpha1.TopologyDomain{}, c.SetDomain, func(d *v1alpha1.TopologyDomain) { c.RemoveDomain(d.Name) })
	feed(&f, &v1alpha1.Team{}, c.SetTeam, func(t *v1alpha1.Team) { c.RemoveTeam(t.Name) })
	feed(&f, &v1alpha1.Quota{}, c.SetQuota, func(q *v1alpha1.Quota) { c.RemoveQuota(q.Name) })
	feed(&f, &v1alpha1.GangJob{}, c.SetGang, func(g *v1alpha1.GangJob) { c.RemoveGang(keyOf(g)) })
	feed(&f, &batchv1.Job{}, c.SetJob, func(j *batchv1.Job) { c.RemoveJob(j.UID) })
	feed(&f, &corev1.Pod{}, c.SetPod, func(p *corev1.Pod) { c.RemovePod(keyOf(p)) })
	return func(ctx context.Context) bool {
		return toolscache.WaitForCacheSync(ctx.Done(), f.synced...)
	}, f.err
}

type feeder struct {
	ctx       context.Context //nolint:containedctx // lives as long as one call of Feed
	informers cache.Informers
	synced    []toolscache.InformerSynced
	err       error
}

// feed calls set for every object that is there or changes, and remove for every one that goes.
func feed[T client.Object](f *feeder, kind T, set, remove func(T)) {
	if f.err != nil {
		return
	}
	informer, err := f.informers.GetInformer(f.ctx, kind)
	if err != nil {
		f.err = fmt.Errorf("watching %T: %w", kind, err)
		return
	}
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { set(obj.(T)) },
		UpdateFunc: func(_, obj any) { set(obj.(T)) },
		DeleteFunc: func(obj any) {
			if missed, ok := obj.(toolscache.DeletedFinalStateUnknown); ok {
				obj = missed.Obj
			}
			if known, ok := obj.(T); ok {
				remove(known)
			}
		},
	})
	if err != nil {
		f.err = fmt.Errorf("watching %T: %w", kind, err)
		return
	}
	f.synced = append(f.synced, registration.HasSynced)
}

func keyOf(obj client.Object) types.NamespacedName { return client.ObjectKeyFromObject(obj) }
