package place

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// twins tells whether two domains of a level are alike in all that placement looks at: the same children, each with the
// same room. What is known of one then holds for the other.
func (f *Finder) twins(level int, a, b int32) bool {
	if a == b {
		return true
	}
	if level == f.leaf {
		return f.twinNodes(a, b)
	}
	x, y := f.tree.Levels[level][a], f.tree.Levels[level][b]
	if x.End-x.First != y.End-y.First || x.EndNode-x.FirstNode != y.EndNode-y.FirstNode {
		return false
	}
	for i := range x.End - x.First {
		if !f.twins(level+1, x.First+i, y.First+i) {
			return false
		}
	}
	return true
}

func (f *Finder) twinNodes(a, b int32) bool {
	if f.idle(f.leaf, a) != f.idle(f.leaf, b) || f.room.Total(f.leaf, a) != f.room.Total(f.leaf, b) {
		return false
	}
	room := false
	for i := range f.roles {
		n := f.roles[i].cap[f.leaf][a]
		if n != f.roles[i].cap[f.leaf][b] {
			return false
		}
		room = room || n > 0
	}
	return !room || len(f.roles) == 1 || slices.Equal(f.room.Free(a), f.room.Free(b))
}

// kind is a set of nodes that are alike: the first of them, and how many were counted.
type kind struct {
	node  int32
	count int64
}

// maxKinds bounds how many kinds of nodes are told apart; those of further kinds all take part.
const maxKinds = 64

// standAside marks, where a domain has more nodes than can take part, those that come after so many of their kind: an
// earlier one serves as well.
func (f *Finder) standAside(b *bench, level int, dom topo.Domain, few int64) {
	b.aside, b.kinds = b.aside[:0], b.kinds[:0]
	if level+1 < f.leaf || int64(dom.End-dom.First) <= few || f.thorough {
		return
	}
	for n := dom.First; n < dom.End; n++ {
		i := slices.IndexFunc(b.kinds, func(k kind) bool { return f.twinNodes(k.node, n) })
		switch {
		case i >= 0:
			b.kinds[i].count++
		case len(b.kinds) < maxKinds:
			b.kinds = append(b.kinds, kind{node: n, count: 1})
		}
		b.aside = append(b.aside, i >= 0 && b.kinds[i].count > few)
	}
}
