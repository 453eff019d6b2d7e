package topo

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Tree is the hierarchy of one pool. Level 0 is the pool itself, the last level are the nodes. The domains of a level
// stand in depth-first order, siblings by name byte by byte, so that every domain covers a range of nodes.
type Tree struct {
	// Levels has the domains of each level.
	Levels [][]Domain
	// Names has the name of each level: "" for the pool, "node" for the last.
	Names []string
}

// Domain is one domain of a level.
type Domain struct {
	// Name is the value of the level's label, or the node's name.
	Name string
	// Parent is the index of the domain above in its level; -1 for the pool.
	Parent int32
	// First and End bound the children in the next level.
	First, End int32
	// FirstNode and EndNode bound the nodes.
	FirstNode, EndNode int32
}

// Place says where a node stands: its name, and the value of each level's label. An empty value means that the node lacks
// the label: it then forms a domain of its own there, which is coherent with nothing.
type Place struct {
	Node string
	Path []string
}

// NewTree builds a tree over levels (outermost first, without pool and node) for the nodes in places, and returns it
// with the order: order[i] is the index in places of the i-th node.
func NewTree(levels []string, places []Place) (*Tree, []int) {
	depth := len(levels) + 2
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(path(places[a]), path(places[b])), cmp.Compare(places[a].Node, places[b].Node))
	})
	t := &Tree{Levels: make([][]Domain, depth), Names: slices.Concat([]string{""}, levels, []string{"node"})}
	t.Levels[0] = []Domain{{Parent: -1}}
	var last []string
	for n, p := range order {
		full := append(path(places[p]), places[p].Node)
		same := 0
		for same < len(full)-1 && same < len(last) && full[same] == last[same] {
			same++
		}
		for l := same + 1; l < depth; l++ {
			parent := int32(len(t.Levels[l-1]) - 1)
			t.Levels[l] = append(t.Levels[l], Domain{
				Name: full[l-1], Parent: parent, First: t.nextIndex(l + 1), FirstNode: int32(n),
			})
		}
		last = full
	}
	t.close(int32(len(places)))
	return t, order
}

// path returns p's path with every missing value replaced by one that no other node has.
func path(p Place) []string {
	out := slices.Clone(p.Path)
	for i, v := range out {
		if v == "" {
			out[i] = missing + p.Node
		}
	}
	return out
}

// missing begins the names of domains that stand in for a label that a node lacks; no label's value holds it.
const missing = "\x00"

// Missing tells whether a name stands in for a label that a node lacks.
func Missing(name string) bool { return strings.HasPrefix(name, missing) }

func (t *Tree) nextIndex(level int) int32 {
	if level >= len(t.Levels) {
		return 0
	}
	return int32(len(t.Levels[level]))
}

// close sets the ends of all ranges once every domain is known.
func (t *Tree) close(nodes int32) {
	for l := range t.Levels {
		row := t.Levels[l]
		for i := range row {
			row[i].EndNode = nodes
			row[i].End = t.nextIndex(l + 1)
			if i+1 < len(row) {
				row[i].EndNode, row[i].End = row[i+1].FirstNode, row[i+1].First
			}
		}
	}
}

// NodeLevel returns the index of the node level.
func (t *Tree) NodeLevel() int { return len(t.Levels) - 1 }

// Level returns the index of the level called name, or -1. The pool's own name is "".
func (t *Tree) Level(name string) int { return slices.Index(t.Names, name) }

// Ancestor returns the index, in level, of the domain that holds node.
func (t *Tree) Ancestor(node int32, level int) int32 {
	at := node
	for l := t.NodeLevel(); l > level; l-- {
		at = t.Levels[l][at].Parent
	}
	return at
}

// Path returns the names of the domain's ancestors and its own, outermost first, the pool left out.
func (t *Tree) Path(level int, domain int32) []string {
	out := make([]string, level)
	for l := level; l > 0; l-- {
		d := t.Levels[l][domain]
		out[l-1], domain = d.Name, d.Parent
	}
	return out
}

// Common returns the deepest level of which one domain holds both nodes.
func (t *Tree) Common(a, b int32) int {
	for l := t.NodeLevel(); l > 0; l-- {
		if a == b {
			return l
		}
		a, b = t.Levels[l][a].Parent, t.Levels[l][b].Parent
	}
	return 0
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
