package place

import "slices"

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
