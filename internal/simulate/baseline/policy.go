package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Policy chooses the node of a pod among those that have room for it.
type Policy interface {
	// Order puts nodes in the order in which they are to be tried.
	Order(nodes []*Node)
}

// FirstFit takes the first node by name.
type FirstFit struct{}

// Order leaves the nodes as they are: by name.
func (FirstFit) Order([]*Node) {}

// Spread takes the node with the most idle accelerators, as kube-scheduler does by default.
type Spread struct{}

// Order puts the emptiest node first, nodes alike by name.
func (Spread) Order(nodes []*Node) {
	slices.SortStableFunc(nodes, func(a, b *Node) int { return cmp.Compare(b.Idle(), a.Idle()) })
}

// Random takes any node.
type Random struct{ Source *rand.Rand }

// NewRandom returns a policy whose choices a seed settles.
func NewRandom(seed uint64) Random { return Random{Source: rand.New(rand.NewPCG(seed, 0))} }

// Order shuffles the nodes.
func (r Random) Order(nodes []*Node) {
	r.Source.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
}
