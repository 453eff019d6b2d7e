package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestWhatIsHeldIsWholeAndFits plays random worlds with all kinds of events, and looks into the ledger whenever nothing
// more is decided: no node holds more than it has, no gang holds a part, levels and groups are as required.
func TestWhatIsHeldIsWholeAndFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlayer(t, drawRecords(t, everything), engine.DefaultConfig())
		p.settled = func() {
			p.checkNodes()
			for _, id := range sortedKeys(p.gangs) {
				p.checkGang(p.gangs[id])
			}
		}
		p.before = p.checkSlot
		p.settle()
		for range rapid.IntRange(5, 25).Draw(t, "events") {
			p.happen(everything, true)
		}
	})
}

// checkNodes adds up what is on each node now, and what will be on it when all who were told to leave have left.
func (p *player) checkNodes() {
	for _, pool := range sortedKeys(p.pools) {
		now := p.free(pool, func(_ engine.Gang, b *engine.Berth) bool { return b.State >= engine.Reserved })
		later := p.free(pool, func(_ engine.Gang, b *engine.Berth) bool { return b.Leaving == nil || b.Leaving.Keep != nil })
		for _, g := range p.gangs { // who shrinks gives back the surplus
			if g.Berth != nil && g.Berth.Leaving != nil && g.Berth.Leaving.Keep != nil {
				pods(g, g.Berth.Slot, func(pod engine.Pod, node string) { give(later[node], pod.Requests) })
				pods(g, *g.Berth.Leaving.Keep, func(pod engine.Pod, node string) { take(later[node], pod.Requests) })
			}
		}
		for _, node := range sortedKeys(now) {
			for k, q := range now[node] {
				if q < 0 {
					p.t.Fatalf("node %s holds %d %s too many after\n%s", node, -q, k, p.history())
				}
			}
			for k, q := range later[node] {
				if _, intruded := p.foreign["foreign/"+node]; q < 0 && !intruded {
					p.t.Fatalf("node %s will hold %d %s too many after\n%s", node, -q, k, p.history())
				}
			}
		}
	}
}

func give(to, amounts engine.Amounts) {
	for k, q := range amounts {
		if to != nil {
			to[k] += q
		}
	}
}

// checkGang looks at a gang's berths: every role with at least its floor and at most its count, whole groups together.
func (p *player) checkGang(g engine.Gang) {
	for _, b := range []*engine.Berth{g.Berth, g.Next} {
		if b == nil {
			continue
		}
		if len(b.Slot.Roles) != len(g.Roles) {
			p.t.Fatalf("%s holds %d roles of %d after\n%s", g.ID, len(b.Slot.Roles), len(g.Roles), p.history())
		}
		for i, part := range b.Slot.Roles {
			r := g.Roles[i]
			if n := len(part.Nodes); n < floor(r) || n > r.Count {
				p.t.Fatalf("%s holds %d pods of %s, want %d to %d, after\n%s", g.ID, n, r.Name, floor(r), r.Count, p.history())
			}
		}
	}
}

// checkSlot looks at a slot when it is decided: its nodes are usable and match, and lie as required.
func (p *player) checkSlot(d engine.Decision) {
	g := p.gangs[d.Gang]
	if len(d.Slot.Roles) == 0 {
		return
	}
	pool := p.pools[d.Slot.Pool]
	if !slices.Contains(p.poolsFor(g), d.Slot.Pool) && g.Berth == nil {
		p.t.Fatalf("%s is put into pool %s after\n%s", g.ID, d.Slot.Pool, p.history())
	}
	var all []string
	pods(g, d.Slot, func(pod engine.Pod, node string) {
		all = append(all, node)
		n, ok := p.nodes[node]
		if !ok || p.poolOf(n) != d.Slot.Pool || !matches(n, pod) {
			p.t.Fatalf("%s goes to node %s, which does not match it, after\n%s", g.ID, node, p.history())
		}
		if d.Kind != engine.Grow && d.Kind != engine.Shrink && d.Kind != engine.Move && !p.usable(n) {
			p.t.Fatalf("%s goes to node %s, which is out of use, after\n%s", g.ID, node, p.history())
		}
	})
	if d.Kind == engine.Grow || d.Kind == engine.Shrink {
		return // a domain whose labels changed under a running gang is left alone
	}
	p.wantTogether(g, pool, g.Required, all)
	p.wantTogether(g, pool, d.Slot.Level, all)
	for i, part := range d.Slot.Roles {
		for _, group := range g.Roles[i].Groups {
			for from := 0; from+group.Size <= len(part.Nodes); from += group.Size {
				p.wantTogether(g, pool, group.Level, part.Nodes[from:from+group.Size])
			}
		}
	}
}

// wantTogether wants nodes in one domain of a level.
func (p *player) wantTogether(g engine.Gang, pool engine.Pool, level string, nodes []string) {
	n := depth(pool, level)
	for _, node := range nodes {
		if !slices.Equal(p.path(p.nodes[node])[:n], p.path(p.nodes[nodes[0]])[:n]) {
			p.t.Fatalf("%s is not inside one %s: %v after\n%s", g.ID, level, nodes, p.history())
		}
	}
}

// matches tells whether a pod may go to a node, as far as drawn pods ask.
func matches(n engine.Node, pod engine.Pod) bool {
	for _, term := range pod.Selector {
		for _, req := range term {
			if (n.Labels[req.Key] == req.Values[0]) != (req.Operator == engine.In) {
				return false
			}
		}
	}
	return len(n.Taints) == 0 || len(pod.Tolerations) > 0
}
