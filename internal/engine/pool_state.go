package engine

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// pool is a Pool with its nodes in depth-first order and the room on them.
type pool struct {
	spec    Pool
	cordons [][]string
	tree    *topo.Tree
	nodes   []*node
	// room is what is free now: planned berths and gangs told to leave both take from it. later is what will be free once
	// all who were told to leave have left; plans are made on it. bare is what would be free if no gang and no foreign
	// pod were there.
	room, later, bare *topo.Room
	// pledged has, per node, what planned berths take of room.
	pledged []topo.Vec
	shapes  map[string]*shape
	// requests has what is asked of the pool, by the gangs' asks.
	requests map[string]*request
	// accelerators has the index of each accelerator resource.
	accelerators []int
	// capacity has, per resource index, what counted nodes hold, in thousandths.
	capacity []int64
	// gangs hold berths here that are not future, planned are those of them with a planned berth; both by name.
	gangs, planned []*gang
	// byCost has the gangs that may be told to leave, cheapest first; medians the usual loss of a tier; movesLeft how many
	// gangs may still be moved. All are made once a pass, when first asked for.
	byCost    []candidate
	medians   map[Tier]int64
	movesLeft int
	// blamed are nodes that have failed gangs repeatedly.
	blamed []*node
	// promised are the gangs with a future berth here, oldest first.
	promised []*gang
}

// shape is the counts of one kind of pod in the pool, now and on the bare pool.
type shape struct {
	now, later, bare *topo.Shape
	request          topo.Vec
	// uses has, per class of node, what one pod counts as, by pair.
	uses map[int32][]int64
}

// cordoned tells whether a cordon covers the domain path.
func (p *pool) cordoned(path []string) bool {
	return slices.ContainsFunc(p.cordons, func(c []string) bool {
		return len(c) <= len(path) && slices.Equal(c, path[:len(c)])
	})
}

func (p *pool) pathOf(n Node) []string {
	path := make([]string, len(p.spec.Levels))
	for i, l := range p.spec.Levels {
		path[i] = n.Labels[l.Label]
	}
	return path
}

// move takes (sign -1) or gives back v on a node.
func (p *pool) move(pos int32, v topo.Vec, sign int) {
	moveIn(p.room, pos, v, sign)
	moveIn(p.later, pos, v, sign)
}

func moveIn(room *topo.Room, pos int32, v topo.Vec, sign int) {
	if sign < 0 {
		room.Take(pos, v)
	} else {
		room.Give(pos, v)
	}
}

// sync makes pools, teams and their sums true again after events that changed their structure.
func (s *State) sync() {
	if s.stalePools {
		s.rebuildPools()
	}
	if s.staleTeams {
		s.rebuildTeams()
	}
}

// rebuildPools assigns nodes to pools and builds their trees and rooms from the records.
func (s *State) rebuildPools() {
	s.internAll()
	s.stalePools, s.staleTeams = false, true
	s.poolOrder = s.poolOrder[:0]
	for _, p := range s.pools {
		p.nodes, p.blamed, p.gangs, p.planned, p.promised = nil, nil, nil, nil, nil
		p.shapes, p.requests = map[string]*shape{}, map[string]*request{}
		s.poolOrder = append(s.poolOrder, p)
	}
	slices.SortFunc(s.poolOrder, func(a, b *pool) int {
		return cmp.Or(cmp.Compare(a.spec.Created, b.spec.Created), cmp.Compare(a.spec.Name, b.spec.Name))
	})
	for _, n := range s.nodes {
		s.assignPool(n)
	}
	slices.SortFunc(s.poolOrder, func(a, b *pool) int { return cmp.Compare(a.spec.Name, b.spec.Name) })
	for _, p := range s.poolOrder {
		s.buildPool(p)
	}
	for _, f := range s.foreign {
		s.moveForeign(f, -1)
	}
	for _, g := range s.gangs {
		g.pools, g.judged = nil, nil
		s.hold(g)
	}
}

// internAll gives every resource an index, in sorted order, before rooms of that width are made.
func (s *State) internAll() {
	seen := Amounts{}
	collect := func(a Amounts) {
		for k := range a {
			seen[k] = 1
		}
	}
	for _, n := range s.nodes {
		collect(n.Allocatable)
		collect(n.System)
	}
	for _, f := range s.foreign {
		collect(f.Requests)
	}
	for _, g := range s.gangs {
		for _, r := range g.Roles {
			collect(r.Pod.Requests)
		}
	}
	for _, p := range s.pools {
		for _, a := range p.spec.Accelerators {
			seen[a.Resource] = 1
		}
	}
	s.resources.Vec(seen)
}

// assignPool gives n to the first pool, in poolOrder, that selects it.
func (s *State) assignPool(n *node) {
	n.pool, n.pos, n.others = nil, -1, nil
	for _, p := range s.poolOrder {
		switch {
		case !n.selectedBy(p.spec.Selector):
		case n.pool == nil:
			n.pool = p
			p.nodes = append(p.nodes, n)
		default:
			n.others = append(n.others, p.spec.Name)
		}
	}
}

// buildPool builds p's tree and rooms over its nodes.
func (s *State) buildPool(p *pool) {
	slices.SortFunc(p.nodes, byName)
	names := make([]string, len(p.spec.Levels))
	for i, l := range p.spec.Levels {
		names[i] = l.Name
	}
	places := make([]topo.Place, len(p.nodes))
	for i, n := range p.nodes {
		places[i] = topo.Place{Node: n.Name, Path: p.pathOf(n.Node)}
	}
	tree, order := topo.NewTree(names, places)
	sorted := make([]*node, len(order))
	for pos, i := range order {
		sorted[pos] = p.nodes[i]
		sorted[pos].pos = int32(pos)
	}
	p.nodes, p.tree = sorted, tree

	weights := make([]int64, s.resources.Len())
	p.accelerators = p.accelerators[:0]
	for _, a := range p.spec.Accelerators {
		i := s.resources.Intern(a.Resource)
		weights[i] = max(a.Weight, 1)
		p.accelerators = append(p.accelerators, i)
	}
	vecs := make([]topo.Vec, len(p.nodes))
	for i, n := range p.nodes {
		alloc, system := s.resources.Vec(n.Allocatable), s.resources.Vec(n.System)
		vecs[i] = slices.Clone(alloc)
		for k := range system {
			vecs[i][k] -= system[k]
		}
		n.class = s.classes.of(alloc)
		if len(n.failures) >= blameLimit {
			p.blamed = append(p.blamed, n)
		}
	}
	s.sumCapacity(p)
	capacity := func(i int32) topo.Vec { return vecs[i] }
	usable := func(i int32) bool { return p.nodes[i].usable() }
	p.room = topo.NewRoom(tree, s.resources.Len(), weights, capacity, usable)
	p.later = topo.NewRoom(tree, s.resources.Len(), weights, capacity, usable)
	p.pledged = make([]topo.Vec, len(p.nodes))
	p.bare = topo.NewRoom(tree, s.resources.Len(), weights, capacity, func(int32) bool { return true })
}

// milli converts an engine amount of resource k to thousandths: CPU is in thousandths already.
func (s *State) milli(k int, q int64) int64 {
	if s.resources.Name(k) == "cpu" {
		return q
	}
	return mulDiv(q, 1000, 1)
}

// addSat adds non-negative amounts, MaxInt64 where that does not fit.
func addSat(a, b int64) int64 {
	if c := a + b; c >= a {
		return c
	}
	return 1<<63 - 1
}

// shapeOf returns the counts of pods like this one in p.
func (s *State) shapeOf(p *pool, pod *Pod) *shape {
	key := podKey(pod)
	if sh, ok := p.shapes[key]; ok {
		return sh
	}
	v := s.resources.Vec(pod.Requests)
	match := func(i int32) bool { return p.nodes[i].matches(pod.Selector, pod.Tolerations) }
	sh := &shape{request: v, uses: map[int32][]int64{}}
	sh.now = topo.NewShape(p.room, v, match)
	sh.later = topo.NewShape(p.later, v, match)
	sh.bare = topo.NewShape(p.bare, v, match)
	p.shapes[key] = sh
	return sh
}
