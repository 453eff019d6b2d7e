package summary

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// gather is how long changes may gather before objects are looked at again.
const gather = 500 * time.Millisecond

// Source queues all objects of a kind after changes. It holds its controller back until the state is complete: what is
// summed up of half a cluster must not be written.
type Source struct {
	// Changes receives after something changed.
	Changes <-chan struct{}
	Clock   clock.Clock
	// Names lists the objects.
	Names func() []string
	// Synced waits until the state has been told all that was there at the start; false if the context ended before.
	Synced func(context.Context) bool
}

// Start begins to queue.
func (s *Source) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-s.Changes:
			}
			for _, name := range s.Names() {
				queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: name}})
			}
			timer := s.Clock.NewTimer(gather)
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C():
			}
		}
	}()
	return nil
}

// WaitForSync returns when the state is complete.
func (s *Source) WaitForSync(ctx context.Context) error {
	if !s.Synced(ctx) {
		return errors.New("the state of the cluster is still incomplete")
	}
	return nil
}
