package state

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Source queues gangs for which something changed that their own objects do not show. It holds its controller back until
// the cache is complete: whoever asks half a cache finds no pods where there are some, and nodes gone that are not.
type Source struct {
	Cache *Cache
	// Synced waits until the cache has been told all that was there at the start; false if the context ended before.
	Synced func(context.Context) bool
}

// Start begins to queue.
func (s *Source) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	s.Cache.OnGang(func(key types.NamespacedName) { queue.Add(reconcile.Request{NamespacedName: key}) })
	return nil
}

// WaitForSync returns when the cache is complete.
func (s *Source) WaitForSync(ctx context.Context) error {
	if !s.Synced(ctx) {
		return errors.New("the state of the cluster is still incomplete")
	}
	return nil
}
