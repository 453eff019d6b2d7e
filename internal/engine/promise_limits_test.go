package engine_test

import (
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

// fullFor returns a world of two nodes that a gang of team a holds for so many hours.
func fullFor(t *testing.T, hours int64, cfg engine.Config) *world {
	t.Helper()
	w := newWorld(t, 2, 2, cfg)
	for _, team := range []string{"a", "b", "c"} {
		w.team(team, 0)
	}
	g := gang("a", "runs", engine.Production, 2, 8)
	g.MaxRuntime = hours * hour
	w.submit(g)
	w.decide()
	w.wantLog("Admit a/runs n0,n1")
	return w
}

func TestAPoolHasNoMorePromisesThanConfigured(t *testing.T) {
	cfg := engine.DefaultConfig()
	cfg.MaxReservations = 1
	w := fullFor(t, 1, cfg)
	// Without a/runs team a has the smaller share, so that fairness gives nobody a right to it.
	for _, team := range []string{"b", "c"} {
		g := gang(team, "waits", engine.Batch, 1, 8)
		g.MaxRuntime = hour
		w.submit(g)
	}
	w.decide()
	w.now += 10 * minute
	w.decide()
	w.wantLog("Promise b/waits n0")
}

func TestATeamHasOnePromiseInAPoolWhoeverHeadsItsOrderLater(t *testing.T) {
	w := fullFor(t, 3, engine.DefaultConfig())
	first := gang("a", "first", engine.Batch, 1, 8)
	first.MaxRuntime = hour
	w.submit(first)
	w.decide()
	w.now += 10 * minute
	w.decide()
	w.wantLog("Promise a/first n0")
	urgent := gang("a", "urgent", engine.Production, 1, 8)
	urgent.MaxRuntime = hour
	w.submit(urgent)
	w.decide()
	w.now += 10 * minute
	w.decide()
	w.wantLog()
}
