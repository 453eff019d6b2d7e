package engine_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestAStateMadeAnewOfTheRecordsDecidesTheSame compares, at every instant of random worlds, the state that has lived
// through all events with one that is told the records in another order: after a restart nothing is decided otherwise.
func TestAStateMadeAnewOfTheRecordsDecidesTheSame(t *testing.T) {
	cfg := engine.DefaultConfig()
	cfg.MaxReservationIdle = 1_000_000 // what a promise has kept idle is no record
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, everything), cfg)
		p.rebuilt = true
		p.settle()
		for range rapid.IntRange(5, 25).Draw(t, "events") {
			p.happen(everything, true)
		}
	})
}

// TestTheSameEventsGiveTheSameDecisionsByteForByte tells two states the same records and lets them decide on.
func TestTheSameEventsGiveTheSameDecisionsByteForByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecords(t, everything)
		p := newPlayer(t, r, engine.DefaultConfig())
		for range rapid.IntRange(1, 12).Draw(t, "gangs") {
			g := drawGang(t, r, string(rune('a'+p.serial())), everything)
			g.Queued = p.now
			p.gangs[g.ID] = g
		}
		var first []engine.Decision
		for i := range 4 {
			s := engine.New(engine.DefaultConfig())
			r.tell(s, i%2 == 1)
			decisions := s.Decide(r.now)
			if i == 0 {
				first = decisions
			} else if !reflect.DeepEqual(first, decisions) {
				t.Fatalf("once it decides\n%+v\nonce\n%+v", first, decisions)
			}
		}
	})
}
