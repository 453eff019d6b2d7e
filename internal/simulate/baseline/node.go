package baseline

import (
	"maps"

	"github.com/berth-dev/berth/internal/engine"
)

// Node is a node with the room that is left on it.
type Node struct {
	engine.Node
	pool         string
	accelerators []engine.Accelerator
	free         engine.Amounts
}

// Idle is how many accelerators, weighted, nobody uses.
func (n *Node) Idle() int64 {
	var sum int64
	for _, a := range n.accelerators {
		sum += n.free[a.Resource] * max(a.Weight, 1)
	}
	return sum
}

func newNode(n engine.Node) *Node {
	node := &Node{Node: n, free: maps.Clone(n.Allocatable)}
	node.take(n.System, 1)
	return node
}

func (n *Node) take(amounts engine.Amounts, times int64) {
	for name, amount := range amounts {
		n.free[name] -= amount * times
	}
}

// holds reports whether a pod may and can run here now.
func (n *Node) holds(p *engine.Pod) bool {
	if !n.Ready || n.Cordoned {
		return false
	}
	for name, amount := range p.Requests {
		if amount > 0 && n.free[name] < amount {
			return false
		}
	}
	return n.selected(p.Selector) && n.tolerated(p.Tolerations)
}
