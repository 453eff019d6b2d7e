package engine_test

import (
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

func TestAGangIsAdmittedWholeIntoOneRack(t *testing.T) {
	w := newWorld(t, 8, 4, engine.DefaultConfig())
	w.team("a", 64)
	g := gang("a", "four", engine.Batch, 4, 8)
	g.Required = "rack"
	w.submit(g)
	w.decide()
	w.wantLog("Admit a/four n0,n1,n2,n3")
}

func TestAHigherTierOfTheTeamGoesFirstAndEvictsTheLower(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("a", 16)
	w.submit(gang("a", "low", engine.Batch, 1, 8))
	w.decide()
	w.now += 5 * minute
	w.submit(gang("a", "high", engine.Production, 2, 8))
	w.decide()
	w.wantLog("Admit a/low n0", "Plan a/high n0,n1", "Evict a/low")
	w.leave()
	w.decide()
	w.wantLog("Admit a/high n0,n1")
	if got := w.state.Explain("a/low", w.now).Reason; got != engine.BackingOff {
		t.Errorf("the evicted gang waits for %s, want BackingOff", got)
	}
}

func TestReclaimTakesTheRackWithTheLeastWorkAtStake(t *testing.T) {
	w := newWorld(t, 8, 4, engine.DefaultConfig())
	w.team("a", 0)
	w.team("b", 64)
	for i := range 8 {
		if i == 4 {
			w.now += 10 * minute
		}
		w.submit(gang("a", string(rune('a'+i)), engine.Batch, 1, 8))
		w.decide()
	}
	w.log = nil
	w.now += 10 * minute
	g := gang("b", "want", engine.Batch, 4, 8)
	g.Required = "rack"
	w.submit(g)
	w.decide()
	w.wantLog("Plan b/want n4,n5,n6,n7", "Evict a/e", "Evict a/f", "Evict a/g", "Evict a/h")
}

func TestFairnessStopsWhenSharesAreEven(t *testing.T) {
	w := newWorld(t, 8, 4, engine.DefaultConfig())
	w.team("a", 0)
	w.team("b", 0)
	for i := range 8 {
		w.submit(gang("a", string(rune('a'+i)), engine.Production, 1, 8))
	}
	w.decide()
	w.now += 10 * minute
	for i := range 8 {
		w.submit(gang("b", string(rune('a'+i)), engine.Batch, 1, 8))
	}
	w.decide()
	w.leave()
	w.decide()
	for _, team := range []string{"a", "b"} {
		if got := w.state.Usage(team, "h100", gpu).Used; got != 32_000 {
			t.Errorf("team %s uses %d thousandths, want half of the pool", team, got)
		}
	}
}

func TestALongWaitingHeadIsPromisedASlotAndShortGangsFillIn(t *testing.T) {
	w := newWorld(t, 4, 4, engine.DefaultConfig())
	w.team("a", 32)
	two := gang("a", "two", engine.Batch, 2, 8)
	two.MaxRuntime = 2 * hour
	w.submit(two)
	w.decide()
	w.now += minute
	all := gang("a", "all", engine.Batch, 4, 8)
	all.MaxRuntime = hour
	w.submit(all)
	w.decide()
	w.now += 5 * minute
	w.decide()
	w.wantLog("Admit a/two n0,n1", "Promise a/all n0,n1,n2,n3")
	long, short := gang("a", "long", engine.Batch, 1, 8), gang("a", "short", engine.Batch, 1, 8)
	long.MaxRuntime, short.MaxRuntime = 3*hour, 30*minute
	w.submit(long)
	w.submit(short)
	w.decide()
	w.wantLog("Admit a/short n2")
	if got := w.state.Explain("a/all", w.now); got.Reason != engine.SlotReserved || got.ETA != hour+2*hour {
		t.Errorf("explained as %+v, want SlotReserved at the end of a/two", got)
	}
}

func TestTheSameEventsGiveTheSameDecisions(t *testing.T) {
	play := func() []string {
		w := newWorld(t, 16, 4, engine.DefaultConfig())
		w.team("a", 32)
		w.team("b", 64)
		for i := range 20 {
			w.now += minute
			w.submit(gang([]string{"a", "b"}[i%2], string(rune('a'+i)), engine.Tier(i%3), 1+i%4, int64(1+i%8)))
			w.decide()
		}
		return w.log
	}
	first := play()
	for range 5 {
		w := world{t: t, log: play()}
		w.wantLog(first...)
	}
}

func TestANodeThatFailsGangsAgainAndAgainIsUsedLast(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("a", 16)
	for range 3 {
		w.submit(gang("a", "one", engine.Batch, 1, 8))
		w.decide()
		w.now += minute
		bad := node(0, 2)
		bad.Ready = false
		w.state.SetNode(bad)
		w.decide()
		w.end("a/one")
		w.state.SetNode(node(0, 2))
		w.now += minute
	}
	w.log = nil
	w.submit(gang("a", "next", engine.Batch, 1, 8))
	w.submit(gang("a", "other", engine.Batch, 1, 8))
	w.decide()
	w.wantLog("Admit a/next n1", "Admit a/other n0")
	w.end("a/next")
	w.end("a/other")
	w.now += 25 * hour
	w.submit(gang("a", "later", engine.Batch, 1, 8))
	w.decide()
	w.wantLog("Admit a/later n0")
}

func TestNodesOfAVictimThatDoesNotLeaveAreWrittenOffAndThePlanIsRemade(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("a", 16)
	w.submit(gang("a", "low-0", engine.Batch, 1, 8))
	w.submit(gang("a", "low-1", engine.Batch, 1, 8))
	w.decide()
	w.now += minute
	w.submit(gang("a", "high", engine.Production, 1, 8))
	w.decide()
	w.wantLog("Admit a/low-0 n0", "Admit a/low-1 n1", "Plan a/high n0", "Evict a/low-0")
	w.now += 3 * minute
	w.decide()
	w.wantLog("Release a/high", "Plan a/high n1", "Evict a/low-1")
	if got := w.state.Domains("h100")[0].Stuck; got != 1 {
		t.Errorf("%d nodes are stuck, want 1", got)
	}
	w.leave()
	w.decide()
	w.wantLog("Admit a/high n1", "Admit a/low-0 n0")
	if got := w.state.Domains("h100")[0].Stuck; got != 0 {
		t.Errorf("%d nodes are stuck after all have left, want 0", got)
	}
}
