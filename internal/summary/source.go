package summary

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// gather is how long changes may gather before objects are looked at again.
const gather = 500 * time.Millisecond

// Source queues all objects of a kind, by the names that list returns, after changes.
func Source(changes <-chan struct{}, clk clock.Clock, list func() []string) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		go func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-changes:
				}
				for _, name := range list() {
					queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: name}})
				}
				timer := clk.NewTimer(gather)
				select {
				case <-ctx.Done():
					timer.Stop()
					return
				case <-timer.C():
				}
			}
		}()
		return nil
	})
}
