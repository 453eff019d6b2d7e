package state

import "github.com/berth-dev/berth/internal/engine"

// counts is how many gangs of a team wait, stand in their berths, and are leaving them.
type counts struct{ pending, admitted, preempting int32 }

// count counts a gang in (by 1) or out (by -1).
func (c *Cache) count(g *engine.Gang, by int32) {
	if g == nil || g.Team == "" {
		return
	}
	n := c.counts[g.Team]
	switch b := g.Berth; {
	case b == nil || b.State < engine.Reserved:
		n.pending += by
	case b.Leaving != nil:
		n.preempting += by
	default:
		n.admitted += by
	}
	if n == (counts{}) {
		delete(c.counts, g.Team)
		return
	}
	c.counts[g.Team] = n
}
