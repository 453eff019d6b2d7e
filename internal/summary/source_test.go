package summary_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/berth-dev/berth/internal/summary"
)

func TestSourceGathersChangesBeforeItQueuesAgain(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	changes := make(chan struct{}, 1)
	clk := clocktesting.NewFakeClock(time.Unix(0, 0))
	rounds := 0
	s := &summary.Source{
		Changes: changes, Clock: clk, Synced: func(context.Context) bool { return true },
		Names: func() []string { rounds++; return []string{"a", "b"} },
	}
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer queue.ShutDown()
	if err := s.Start(ctx, queue); err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 3; round++ {
		changes <- struct{}{}
		for _, want := range []string{"a", "b"} {
			got, _ := queue.Get()
			if got.Name != want {
				t.Fatalf("round %d: %q is queued, want %q", round, got.Name, want)
			}
			queue.Done(got)
		}
		for !clk.HasWaiters() { // the source lets changes gather now
			if ctx.Err() != nil {
				t.Fatal("the source does not wait")
			}
		}
		if rounds != round {
			t.Fatalf("the objects were listed %d times, want %d", rounds, round)
		}
		clk.Step(time.Second)
	}
}

func TestSourceHoldsItsControllerBackUntilTheStateIsComplete(t *testing.T) {
	for name, complete := range map[string]bool{"complete": true, "ended before": false} {
		t.Run(name, func(t *testing.T) {
			s := &summary.Source{Synced: func(context.Context) bool { return complete }}
			if err := s.WaitForSync(t.Context()); (err == nil) != complete {
				t.Errorf("WaitForSync: %v", err)
			}
		})
	}
}
