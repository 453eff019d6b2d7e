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
	links := p.links()
	estimate = place.Estimate(p.tree, links, g.BytesPerStep, g.Pattern, ranks)
	if r := s.requestIn(g, p); r != nil {
		if ideal, ok := s.finder.BestPossible(&r.bare, links, g.BytesPerStep, g.Pattern); ok {
			return estimate, min(estimate, ideal)
		}
	}
	return estimate, estimate
}

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
