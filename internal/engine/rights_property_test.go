package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// rigid is a profile without elastic gangs: what they take on top in a pass is told of before it is decided.
var rigid = profile{pools: 2, teams: 5, nodes: 6, endless: true, limits: true, young: true, nested: true, roles: true}

// TestWhoIsEvictedMayBeEvicted judges every plan by P2 as the records stand: there is an order in which each victim may be
// evicted, with the rule that is told; nobody younger than the team's minRuntime except by tier, nobody of a team that
// borrows nothing by another; and no victim could evict the gang in turn.
func TestWhoIsEvictedMayBeEvicted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, rigid), engine.DefaultConfig())
		p.before = func(d engine.Decision) {
			switch d.Kind {
			case engine.Plan:
				p.checkPlan(d)
			case engine.Evict:
				p.checkVictim(d)
			}
		}
		p.settle()
		for range rapid.IntRange(5, 30).Draw(t, "events") {
			p.happen(rigid, false)
		}
	})
}

// checkPlan judges a plan before it is written down.
func (p *player) checkPlan(d engine.Decision) {
	g := p.gangs[d.Gang]
	m := newModel(p.records)
	asks := m.asks(g, d.Slot.Pool)
	var victims []engine.Gang
	for _, v := range d.Victims {
		w := p.gangs[v.Gang]
		if w.Berth == nil || w.Berth.Attempt != v.Attempt {
			p.t.Fatalf("%s has victim %s attempt %d, which holds nothing, after\n%s", g.ID, v.Gang, v.Attempt, p.history())
		}
		if w.Berth.Leaving == nil && !p.owed(g, w) {
			victims = append(victims, w)
		}
	}
	tookOver := func(o engine.Decision) bool { return o.Kind == engine.Release && o.For == d.Gang }
	if len(d.Victims) == 0 && !slices.ContainsFunc(p.deciding, tookOver) {
		p.t.Fatalf("%s is planned without victims after\n%s", g.ID, p.history())
	}
	if p.moves(d) {
		return
	}
	if _, ok := m.rightful(g, asks, victims); !ok {
		p.t.Fatalf("%s may not evict %v, after\n%s", g.ID, d.Victims, p.history())
	}
	if m.undone(g, asks, d.Slot.Pool, victims) {
		p.t.Fatalf("a victim of %v could evict %s in turn, after\n%s", d.Victims, g.ID, p.history())
	}
}

// owed tells whether a victim has to leave for a promise.
func (p *player) owed(g, v engine.Gang) bool {
	overrun := v.MaxRuntime == 0 && p.now >= v.Berth.Started+p.cfg.AssumedRuntime
	return g.Berth != nil && g.Berth.State == engine.Future && p.now >= g.Berth.NotBefore && (v.Evictable || overrun)
}

// moves tells whether a plan of the pass being carried out moves its victims.
func (p *player) moves(plan engine.Decision) bool {
	return slices.ContainsFunc(p.deciding, func(d engine.Decision) bool { return d.Kind == engine.Move && d.For == plan.Gang })
}

// checkVictim judges what a victim is told.
func (p *player) checkVictim(d engine.Decision) {
	v := p.gangs[d.Gang]
	m := newModel(p.records)
	switch d.Rule {
	case engine.ByTier:
		if g := p.gangs[d.For]; g.Team != v.Team || g.Tier <= v.Tier {
			p.t.Fatalf("%s is told to leave by tier for %s, after\n%s", v.ID, d.For, p.history())
		}
	case engine.ByReclaim, engine.ByFairness:
		if p.gangs[d.For].Team == v.Team {
			p.t.Fatalf("%s is told to leave by %s for its own team's %s, after\n%s", v.ID, d.Rule, d.For, p.history())
		}
		if m.young(v) {
			p.t.Fatalf("%s is evicted by %s before its minRuntime, after\n%s", v.ID, d.Rule, p.history())
		}
	case engine.ByPromise:
		if !p.owed(p.gangs[d.For], v) && p.gangs[d.For].Berth.State != engine.Planned {
			p.t.Fatalf("%s is evicted for a promise that it does not owe, after\n%s", v.ID, p.history())
		}
	}
}
