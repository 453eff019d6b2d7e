package webhooks

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// readTimeout is how long a live read may take; the API server gives the webhook 5 seconds.
const readTimeout = 3 * time.Second

// Ledger keeps the berths of all gangs in memory, as the watch of GangJobs tells them. It is the [Assignments] of a
// running manager.
type Ledger struct {
	live client.Reader

	mutex  sync.RWMutex
	berths map[types.UID]*Berth
	// reads holds, for gangs that are being read live, what those wait for that want to know the same: the pods of an
	// attempt come by the hundred.
	reads map[types.UID]*read
}

type read struct {
	done  chan struct{}
	berth *Berth
	err   error
}

var _ Assignments = (*Ledger)(nil)

// NewLedger makes an empty ledger that reads single gangs live.
func NewLedger(live client.Reader) *Ledger {
	return &Ledger{live: live, berths: map[types.UID]*Berth{}, reads: map[types.UID]*read{}}
}

// Watch keeps the ledger up to date from the informer of GangJobs. It returns when all gangs that there are have been seen.
func (l *Ledger) Watch(ctx context.Context, informers cache.Informers) error {
	informer, err := informers.GetInformer(ctx, &v1alpha1.GangJob{})
	if err != nil {
		return fmt.Errorf("watching gangs: %w", err)
	}
	logger := log.FromContext(ctx).WithName("ledger")
	update := func(object any) {
		if g, ok := object.(*v1alpha1.GangJob); ok {
			if err := l.Update(g); err != nil {
				logger.Error(err, "A gang's berth cannot be read; its pods are refused")
			}
		}
	}
	told, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    update,
		UpdateFunc: func(_, object any) { update(object) },
		DeleteFunc: func(object any) {
			if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
				object = gone.Obj
			}
			if g, ok := object.(*v1alpha1.GangJob); ok {
				l.forget(g.UID)
			}
		},
	})
	if err != nil {
		return fmt.Errorf("watching gangs: %w", err)
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), told.HasSynced) {
		return context.Cause(ctx)
	}
	return nil
}

// Update notes a gang's berth as it is now.
func (l *Ledger) Update(g *v1alpha1.GangJob) error {
	berth, err := berthOf(g)
	if err != nil || berth == nil {
		l.forget(g.UID)
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.berths[g.UID] = berth
	return nil
}

func (l *Ledger) forget(uid types.UID) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.berths, uid)
}

// Known is the gang's berth as far as the watch has told.
func (l *Ledger) Known(uid types.UID) (*Berth, bool) {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	berth, ok := l.berths[uid]
	return berth, ok
}

// Live reads a gang from the API server; those that ask for the same gang meanwhile share the answer. It is not kept: by
// then the watch may have told that the berth was given up.
func (l *Ledger) Live(ctx context.Context, name types.NamespacedName, uid types.UID) (*Berth, error) {
	l.mutex.Lock()
	going := l.reads[uid]
	if going == nil {
		going = &read{done: make(chan struct{})}
		l.reads[uid] = going
		// The request that happens to come first may be given up by its caller while others still wait.
		go l.read(context.WithoutCancel(ctx), name, uid, going)
	}
	l.mutex.Unlock()
	select {
	case <-going.done:
		return going.berth, going.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *Ledger) read(ctx context.Context, name types.NamespacedName, uid types.UID, into *read) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	var g v1alpha1.GangJob
	switch err := l.live.Get(ctx, name, &g); {
	case apierrors.IsNotFound(err) || err == nil && g.UID != uid:
	case err != nil:
		into.err = fmt.Errorf("reading gang %s: %w", name, err)
	default:
		into.berth, into.err = berthOf(&g)
	}
	l.mutex.Lock()
	delete(l.reads, uid)
	l.mutex.Unlock()
	close(into.done)
}
