package engine_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestAClosedSystemComesToRest submits gangs that never end, and lets days go by: no gang has the same one of another team
// leave twice once nobody comes any more, and in the end nobody evicts, moves or shrinks anybody.
func TestAClosedSystemComesToRest(t *testing.T) {
	cfg := engine.DefaultConfig()
	cfg.AssumedRuntime = 10_000 * hour // whoever has run that long may be asked to leave for a promise
	cfg.MaxReservationIdle = 1_000_000 // a promise that lapses after a day is news
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, everything), cfg)
		disturbed := engine.Time(0)
		type pair struct{ by, of string }
		evicted := map[pair]bool{}
		p.before = func(d engine.Decision) {
			switch d.Kind {
			case engine.Evict, engine.Move, engine.Shrink, engine.Plan:
				disturbed = p.now
			}
			if d.Rule == engine.ByFairness {
				told := pair{d.For, d.Gang}
				if evicted[told] {
					t.Fatalf("%s has %s leave again, and nobody has come or gone:\n%s", d.For, d.Gang, p.history())
				}
				evicted[told] = true
			}
		}
		for range rapid.IntRange(2, 12).Draw(t, "gangs") {
			g := drawGang(t, p.records, fmt.Sprintf("g%02d", p.serial()), everything)
			g.MaxRuntime, g.Evictable = 0, false
			clear(evicted)
			p.submit(g)
			p.settle()
			if chance(t, 50, "later") {
				p.pass(10 * minute)
			}
		}
		p.pass(72 * hour)
		if rest := p.now - 24*hour; disturbed > rest {
			t.Fatalf("on the third day somebody is still told to leave:\n%s", p.history())
		}
	})
}

// TestAPromiseIsKeptHoweverManyFillIn promises one gang a slot and lets gangs that come after it in its team fill in: it
// starts no later than it was promised, but for the grace of who leaves for it.
func TestAPromiseIsKeptHoweverManyFillIn(t *testing.T) {
	f := profile{pools: 1, teams: 2, nodes: 6, roles: true}
	cfg := engine.DefaultConfig()
	cfg.MaxReservationIdle, cfg.MovesPerHour = 1_000_000, 0
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecords(t, f)
		r.teams = map[string]engine.Team{"t0": {Name: "t0", Weight: 1}}
		r.quotas = map[string]engine.Quota{"t0": {Team: "t0", Entries: []engine.Entitlement{
			{Pool: "p0", Resource: gpu, Guaranteed: 1000 * r.total("p0", gpu), Limit: engine.Unlimited, Lendable: engine.Unlimited},
		}}}
		p := newPlayer(t, r, cfg)
		promised := map[string]engine.Time{}
		p.before = func(d engine.Decision) {
			switch d.Kind {
			case engine.Promise:
				if at, again := promised[d.Gang]; again && d.At > at {
					t.Fatalf("%s is promised a slot at %d and later at %d:\n%s", d.Gang, at, d.At, p.history())
				}
				promised[d.Gang] = d.At
			case engine.Admit, engine.Plan:
				delete(promised, d.Gang)
			}
		}
		p.settled = func() {
			for _, id := range sortedKeys(promised) {
				if p.now > promised[id] {
					t.Fatalf("%s was promised a slot at %.1fm and has none:\n%s", id, float64(promised[id]-hour)/float64(minute), p.history())
				}
			}
		}
		for range rapid.IntRange(4, 20).Draw(t, "gangs") {
			g := drawGang(t, r, fmt.Sprintf("g%02d", p.serial()), f)
			g.Tier, g.Priority = engine.Batch, 0 // whoever comes later comes after in the order, too
			p.submit(g)
			p.settle()
			p.pass(pick(t, "minutes", int64(1), 4, 6, 15) * minute)
		}
		p.pass(6 * hour)
	})
}
