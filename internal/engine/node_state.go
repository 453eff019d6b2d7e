package engine

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// node is a Node with its place in a pool.
type node struct {
	Node
	pool  *pool
	pos   int32
	class int32
	// others are further pools that select the node.
	others []string
	// stuck nodes are held by gangs that should have left long ago.
	stuck bool
	// uncounted nodes have left the sum that guarantees rest on.
	uncounted bool
	// failures are the latest instants at which the node failed under a gang.
	failures []Time
}

// sameMembership tells whether b differs from a in nothing but readiness and cordon.
func sameMembership(a, b Node) bool {
	return maps.Equal(a.Labels, b.Labels) && slices.Equal(a.Taints, b.Taints) &&
		maps.Equal(a.Allocatable, b.Allocatable) && maps.Equal(a.System, b.System)
}

// refreshUsable tells the node's pool whether new pods may go to it.
func (s *State) refreshUsable(n *node) {
	if n.pool != nil && n.pool.room != nil {
		n.pool.room.SetUsable(n.pos, n.usable())
		n.pool.later.SetUsable(n.pos, n.usable())
	}
}

// usable tells whether new pods may go to the node.
func (n *node) usable() bool { return n.Ready && !n.Cordoned && !n.stuck && !n.pool.cordoned(n.path()) }

// path returns the node's domain names, outermost first, without its own.
func (n *node) path() []string { return n.pool.pathOf(n.Node) }

// matches tells whether a pod with this selector and these tolerations may go to the node.
func (n *Node) matches(sel Selector, tolerations []Toleration) bool {
	return n.selectedBy(sel) && n.tolerated(tolerations)
}

func (n *Node) selectedBy(sel Selector) bool {
	if len(sel) == 0 {
		return true
	}
	return slices.ContainsFunc(sel, func(t Term) bool {
		return len(t) > 0 && !slices.ContainsFunc(t, func(r Requirement) bool { return !n.meets(r) })
	})
}

// meets tells whether one requirement holds, as Kubernetes defines its operators.
func (n *Node) meets(r Requirement) bool {
	value, ok := n.Labels[r.Key]
	if r.Key == NameKey {
		value, ok = n.Name, true
	}
	switch r.Operator {
	case In:
		return ok && slices.Contains(r.Values, value)
	case NotIn:
		return !ok || !slices.Contains(r.Values, value)
	case Exists:
		return ok
	case DoesNotExist:
		return !ok
	case Gt, Lt:
		return ok && r.compares(value)
	default:
		return false
	}
}

// compares tells whether Gt or Lt holds for a value: both sides must be integers.
func (r Requirement) compares(value string) bool {
	if len(r.Values) != 1 {
		return false
	}
	have, err := strconv.ParseInt(value, 10, 64)
	want, err2 := strconv.ParseInt(r.Values[0], 10, 64)
	if err != nil || err2 != nil {
		return false
	}
	return r.Operator == Gt && have > want || r.Operator == Lt && have < want
}

// tolerated tells whether every taint that keeps pods away is tolerated. A cordon's taint is not looked at here: whether
// a node is in use is told by Cordoned.
func (n *Node) tolerated(tolerations []Toleration) bool {
	for _, t := range n.Taints {
		if t.Effect == "PreferNoSchedule" || t.Key == "node.kubernetes.io/unschedulable" {
			continue
		}
		if !slices.ContainsFunc(tolerations, func(tol Toleration) bool { return tol.tolerates(t) }) {
			return false
		}
	}
	return true
}

func (tol Toleration) tolerates(t Taint) bool {
	if tol.Effect != "" && tol.Effect != t.Effect {
		return false
	}
	if tol.Key == "" {
		return tol.Operator == "Exists"
	}
	return tol.Key == t.Key && (tol.Operator == "Exists" || tol.Value == t.Value)
}

// classes interns the allocatable of nodes.
type classes struct {
	index map[string]int32
	alloc []topo.Vec
}

func newClasses() classes { return classes{index: map[string]int32{}} }

// of returns the class of an allocatable vector.
func (c *classes) of(v topo.Vec) int32 {
	key := vecKey(v)
	if i, ok := c.index[key]; ok {
		return i
	}
	i := int32(len(c.alloc))
	c.index[key] = i
	c.alloc = append(c.alloc, v)
	return i
}

// vecKey returns a string that is equal for equal vectors.
func vecKey(v topo.Vec) string {
	for len(v) > 0 && v[len(v)-1] == 0 {
		v = v[:len(v)-1]
	}
	b := make([]byte, 0, len(v)*8)
	for _, q := range v {
		b = strconv.AppendInt(b, q, 36)
		b = append(b, ',')
	}
	return string(b)
}

func byName(a, b *node) int { return cmp.Compare(a.Name, b.Name) }
