package engine

import (
	"maps"
	"math"
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
	"github.com/berth-dev/berth/internal/engine/topo"
)

// request is what a gang asks of one pool.
type request struct {
	pool *pool
	// place is the request for the floor of every role on the room as it is, later on what will be free once all who were
	// told to leave have left, bare on the bare pool.
	place, later, bare place.Request
	shapes             []*shape
	// asks is what the floor counts as, by pair, on the node that suits it best.
	asks []int64
	// uneven is true when what it counts as depends on the nodes that it gets.
	uneven bool
	// pods is how many pods the floor has.
	pods int
	// accelerators is how many accelerators the floor asks for, weighted, in thousandths.
	accelerators int64
	// detail is what [State.Explain] adds about the best domain, detailedAt the changes and epoch that it is of.
	detail     *Explanation
	detailedAt [2]int
	// cause says why the pool can never hold the gang; NoCause if it can.
	cause Cause
}

// poolsFor returns the pools that the gang may go to, in the order in which they are tried.
func (s *State) poolsFor(g *gang) []*pool {
	if g.pools == nil {
		g.pools = s.findPools(g)
	}
	return g.pools
}

func (s *State) findPools(g *gang) []*pool {
	if g.Pool != "" {
		if p, ok := s.pools[g.Pool]; ok {
			return []*pool{p}
		}
		return nil
	}
	var out []*pool
	for t := g.leaf; t != nil && len(out) == 0; t = t.parent {
		for _, e := range t.quota.Entries {
			if p, ok := s.pools[e.Pool]; ok && !slices.Contains(out, p) && p.hasLevels(&g.Gang) {
				out = append(out, p)
			}
		}
	}
	return out
}

// hasLevels tells whether the pool has every level that the gang names.
func (p *pool) hasLevels(g *Gang) bool {
	has := func(name string) bool { return name == "" || p.tree.Level(name) >= 0 }
	return has(g.Required) && has(g.Preferred) && !slices.ContainsFunc(g.Roles, func(r Role) bool {
		return slices.ContainsFunc(r.Groups, func(gr Group) bool { return !has(gr.Level) })
	})
}

// requestOf returns what g asks of p; gangs that ask for the same share it.
func (s *State) requestOf(g *gang, p *pool) *request {
	if r, ok := p.requests[g.asks]; ok {
		return r
	}
	r := &request{pool: p, asks: make([]int64, len(s.pairs.list))}
	p.requests[g.asks] = r
	if !p.hasLevels(&g.Gang) {
		r.cause = NoLevel
		return r
	}
	base := place.Request{
		Tree: p.tree, Required: p.tree.Level(g.Required), Preferred: p.tree.Level(g.Preferred), Pack: g.Policy == Pack,
		Budget: s.cfg.SearchBudget,
	}
	r.place, r.later, r.bare = base, base, base
	r.place.Room, r.later.Room, r.bare.Room = p.room, p.later, p.bare
	for i := range g.Roles {
		role := &g.Roles[i]
		sh := s.shapeOf(p, &role.Pod)
		r.shapes = append(r.shapes, sh)
		groups := make([]place.Group, len(role.Groups))
		for k, grp := range role.Groups {
			groups[k] = place.Group{Size: grp.Size, Level: p.tree.Level(grp.Level)}
		}
		r.place.Roles = append(r.place.Roles, place.Role{Shape: sh.now, Count: role.floor(), Groups: groups})
		r.later.Roles = append(r.later.Roles, place.Role{Shape: sh.later, Count: role.floor(), Groups: groups})
		r.bare.Roles = append(r.bare.Roles, place.Role{Shape: sh.bare, Count: role.floor(), Groups: groups})
		s.addAsks(r, sh, role.floor())
		r.pods += role.floor()
		r.accelerators += 1000 * int64(role.floor()) * p.accelerated(sh.request)
	}
	r.cause = s.impossible(r)
	return r
}

// addAsks adds to r.asks what count pods of a shape count as on the class of node that suits them best.
func (s *State) addAsks(r *request, sh *shape, count int) {
	best := make([]int64, len(r.asks))
	for i := range best {
		best[i] = math.MaxInt64
	}
	seen := map[int32]bool{}
	for pos, n := range r.pool.nodes {
		if seen[n.class] || !sh.now.Matches(int32(pos)) {
			continue
		}
		seen[n.class] = true
		for i, q := range s.usesOn(r.pool, sh, n) {
			r.uneven = r.uneven || len(seen) > 1 && q != best[i]
			best[i] = min(best[i], q)
		}
	}
	if len(seen) == 0 {
		return
	}
	for i, q := range best {
		r.asks[i] += q * int64(count)
	}
}

// usesOn returns what one pod of the shape counts as on n, by pair, in thousandths: of an accelerator what it keeps from
// others there (P1: the largest part that it takes of any resource), of other resources its request.
func (s *State) usesOn(p *pool, sh *shape, n *node) []int64 {
	if uses, ok := sh.uses[n.class]; ok {
		return uses
	}
	uses := make([]int64, len(s.pairs.list))
	alloc := s.classes.alloc[n.class]
	for i, pr := range s.pairs.list {
		k, ok := s.resources.Lookup(pr.resource)
		if pr.pool != p.spec.Name || !ok {
			continue
		}
		if slices.Contains(p.accelerators, k) && p.chargesFor(sh.request, k) {
			uses[i] = stranded(sh.request, alloc, k)
		} else {
			uses[i] = s.milli(k, sh.request.At(k))
		}
	}
	sh.uses[n.class] = uses
	return uses
}

// chargesFor tells whether a pod is charged for accelerator k by what it strands: when it asks for k, or for no
// accelerator at all.
func (p *pool) chargesFor(request topo.Vec, k int) bool {
	return request.At(k) > 0 || !slices.ContainsFunc(p.accelerators, func(a int) bool { return request.At(a) > 0 })
}

// stranded returns, in thousandths, the largest part that request takes of any resource of a node, times the node's
// accelerators k.
func stranded(request, alloc topo.Vec, k int) int64 {
	var most int64
	for r, q := range request {
		if q > 0 && alloc.At(r) > 0 {
			most = max(most, mulDivUp(q, alloc.At(k)*1000, alloc.At(r)))
		}
	}
	return most
}

// usesOf returns what slot counts as, by pair.
func (s *State) usesOf(g *gang, slot Slot) []int64 {
	uses := make([]int64, len(s.pairs.list))
	p, ok := s.pools[slot.Pool]
	if !ok {
		return uses
	}
	for _, r := range slot.Roles {
		role := g.role(r.Role)
		if role == nil {
			continue
		}
		sh := s.shapeOf(p, &role.Pod)
		for _, name := range r.Nodes {
			if n, ok := s.nodes[name]; ok && n.pool == p {
				for i, q := range s.usesOn(p, sh, n) {
					uses[i] += q
				}
			}
		}
	}
	return uses
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
