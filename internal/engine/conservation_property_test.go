package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestNothingThatFitsStaysPending looks, whenever nothing more is decided, for gangs that wait though they fit: within
// quota, beside all that is held and planned. Only a promise to another (P5) and back-off (P12) may keep them.
func TestNothingThatFitsStaysPending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, everything), engine.DefaultConfig())
		p.settled = p.checkNobodyWaitsInVain
		p.settle()
		for range rapid.IntRange(5, 25).Draw(t, "events") {
			p.happen(everything, true)
		}
	})
}

func (p *player) checkNobodyWaitsInVain() {
	m := newModel(p.records)
	for _, id := range sortedKeys(p.gangs) {
		g := p.gangs[id]
		if g.Berth != nil && g.Berth.State != engine.Future || !m.queues(g) {
			continue
		}
		for _, pool := range p.poolsFor(g) {
			if p.promisedToOthers(g, pool) || m.overLimit(m.leaf(g), m.dearest(g, pool), true) || !m.lent(m.leaf(g), m.dearest(g, pool)) {
				continue
			}
			if p.fits(g, pool, g.Required, p.free(pool, func(engine.Gang, *engine.Berth) bool { return true })) {
				p.t.Fatalf("%s waits (%s) though it fits into %s, after\n%s", id, p.state.Explain(id, p.now).Reason, pool, p.history())
			}
		}
	}
}

func (p *player) promisedToOthers(g engine.Gang, pool string) bool {
	for _, o := range p.gangs {
		if o.ID != g.ID && o.Berth != nil && o.Berth.State == engine.Future && o.Berth.Slot.Pool == pool {
			return true
		}
	}
	return false
}

// queues tells whether a gang is in its team's order: not held, not paused, not backing off.
func (m *model) queues(g engine.Gang) bool {
	for _, t := range m.ancestors(g.Team) {
		if m.teams[t].Paused || m.teams[t].Drained {
			return false
		}
	}
	if g.Held || g.NotBefore > m.now {
		return false
	}
	if len(g.Evictions) == 0 {
		return true
	}
	last, n := g.Evictions[len(g.Evictions)-1], 0
	for _, at := range g.Evictions {
		n += boolTo(at > last-hour, 1)
	}
	if m.now >= last+minute<<min(n, 5) {
		return true
	}
	for _, pool := range m.poolsFor(g) {
		if m.covers(m.leaf(g), m.asks(g, pool)) {
			return true
		}
	}
	return false
}
