package state

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/internal/engine"
)

// Place is where a rank goes.
type Place struct {
	// Attempt is the attempt of the gang that the cache knows a berth for; zero: none.
	Attempt int
	// Node is the rank's node; empty if the berth has no such rank, or the role's pods are placed freely.
	Node string
	// GangRank is the rank among all ranks of the gang.
	GangRank int
	// Pool is the pool of the berth.
	Pool string
}

// PlaceOf returns where the pod of a role's rank goes in the berth that a gang holds now. It answers from memory.
func (c *Cache) PlaceOf(uid types.UID, role string, index int) Place {
	c.mu.Lock()
	defer c.mu.Unlock()
	key, ok := c.uids[uid]
	if !ok {
		return Place{}
	}
	g := c.gangs[key]
	b := g.berth()
	if b == nil || b.State < engine.Reserved {
		return Place{}
	}
	p := Place{Attempt: b.Attempt, Pool: b.Slot.Pool}
	rank := 0
	for _, r := range b.Slot.Roles {
		if r.Role == role && index >= 0 && index < len(r.Nodes) {
			p.Node, p.GangRank = r.Nodes[index], rank+index
		}
		rank += len(r.Nodes)
	}
	return p
}
