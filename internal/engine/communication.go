package engine

import "github.com/berth-dev/berth/internal/engine/place"

// Communication returns the estimated time of one communication step of a gang in its berth, and that of the slot that it
// would have on the empty pool, in nanoseconds; zeros without a berth. T_comm is the maximum of L(i,j) + D/B(i,j) over
// communicating rank pairs, from the link of the lowest common level of i and j. Ring: i and i+1, and the last and the
// first; AllToAll: all pairs.
func (s *State) Communication(id string) (estimate, best int64) {
	s.sync()
	g, known := s.gangs[id]
	if !known || g.Berth == nil {
		return 0, 0
	}
	p, known := s.pools[g.Berth.Slot.Pool]
	if !known {
		return 0, 0
	}
	var ranks []int32
	for _, r := range g.Berth.Slot.Roles {
		for _, name := range r.Nodes {
			if n, known := s.nodes[name]; known && n.pool == p {
				ranks = append(ranks, n.pos)
			}
		}
	}
	estimate = p.stepTime(&g.Gang, ranks)
	if r := s.requestIn(g, p); r != nil {
		if slot, ok, _ := s.finder.Find(&r.bare); ok {
			var ideal []int32
			for _, nodes := range place.Ranks(&r.bare, slot) {
				ideal = append(ideal, nodes...)
			}
			return estimate, min(estimate, p.stepTime(&g.Gang, ideal))
		}
	}
	return estimate, estimate
}

// stepTime returns T_comm of ranks on the nodes given.
func (p *pool) stepTime(g *Gang, ranks []int32) int64 {
	links := p.links()
	var worst int64
	note := func(a, b int32) { worst = max(worst, links[p.tree.Common(a, b)].time(g.BytesPerStep)) }
	for i := range ranks {
		if i > 0 {
			note(ranks[i-1], ranks[i])
		}
		if g.Pattern == AllToAll {
			for _, other := range ranks[:i] {
				note(other, ranks[i])
			}
		}
	}
	if len(ranks) > 2 {
		note(ranks[len(ranks)-1], ranks[0])
	}
	return worst
}

// time returns what it takes to send so many bytes over the link, in nanoseconds.
func (l Link) time(bytes int64) int64 { return l.Latency + mulDiv(bytes, second, max(l.Bandwidth, 1)) }

// links returns the pool's links by level, defaults filled in: between nodes that have nothing but the pool in common,
// then for each level, then inside a node.
func (p *pool) links() []Link {
	out := []Link{DefaultPoolLink}
	for i, l := range p.spec.Levels {
		link := l.Link
		if link == (Link{}) {
			link = DefaultOuterLink
			if i == len(p.spec.Levels)-1 {
				link = DefaultInnerLink
			}
		}
		out = append(out, link)
	}
	if p.spec.NodeLink == (Link{}) {
		return append(out, DefaultNodeLink)
	}
	return append(out, p.spec.NodeLink)
}
