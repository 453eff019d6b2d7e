package summary_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/internal/summary"
)

func TestPaceHoldsWritesOfOneObjectApart(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := summary.NewPace(5 * time.Second)
	for i, step := range []struct {
		uid  types.UID
		at   time.Duration
		want time.Duration
	}{
		{"a", 0, 0},
		{"a", time.Second, 4 * time.Second},
		{"b", 2 * time.Second, 0}, // another object waits for nobody
		{"a", 4 * time.Second, time.Second},
		{"a", 5 * time.Second, 0},
		{"a", 6 * time.Second, 4 * time.Second}, // since the last write, not the first
		{"b", 6 * time.Second, time.Second},
		{"b", time.Minute, 0},
	} {
		if got := p.Wait(step.uid, start.Add(step.at)); got != step.want {
			t.Errorf("step %d: %s at %s waits %s, want %s", i, step.uid, step.at, got, step.want)
		}
	}
}
