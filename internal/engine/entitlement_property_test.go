package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestUsageGuaranteesAndLimitsAreAsTheRecordsSay compares what the engine says of every team with what the records add up
// to, and holds every admission against the limits of the team and all above it.
func TestUsageGuaranteesAndLimitsAreAsTheRecordsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, everything), engine.DefaultConfig())
		p.settled = p.checkUsage
		p.before = p.checkLimits
		p.settle()
		for range rapid.IntRange(5, 25).Draw(t, "events") {
			p.happen(everything, true)
		}
	})
}

func (p *player) checkUsage() {
	m := newModel(p.records)
	for _, team := range sortedKeys(p.teams) {
		for _, pool := range sortedKeys(p.pools) {
			at := pair{pool, gpu}
			got := p.state.Usage(team, pool, gpu)
			if used := max(m.used[team][at], m.held[team][at]); got.Used != used || got.Guaranteed != m.guarantee(team, at) {
				p.t.Fatalf("%s uses %d of %d guaranteed in %s, says the engine; the records say %d of %d; after\n%s",
					team, got.Used, got.Guaranteed, pool, used, m.guarantee(team, at), p.history())
			}
		}
	}
}

// checkLimits looks at what a gang is about to take. A repair keeps its quota, and a plan is held against what will be
// used when its victims have left.
func (p *player) checkLimits(d engine.Decision) {
	if d.Kind != engine.Admit && d.Kind != engine.Grow {
		return
	}
	g := p.gangs[d.Gang]
	m := newModel(p.records)
	m.count(g, -1)
	if uses := m.uses(g, d.Slot); m.overLimit(m.leaf(g), uses, true) {
		p.t.Fatalf("%s takes %v and passes a limit, after\n%s", g.ID, uses, p.history())
	}
}
