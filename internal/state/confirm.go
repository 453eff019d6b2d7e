package state

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/internal/engine"
)

// Standing is what became of a reservation.
type Standing int8

// The standings of a reservation.
const (
	// Unseen: it has not come back by the watch yet.
	Unseen Standing = iota
	// Stands: it takes effect.
	Stands
	// Clashes: another leader has given the same room to another gang, which keeps it.
	Clashes
)

// Reservation tells whether the reservation of a gang's attempt takes effect: the watch has brought it, and no other
// stands on the same room by then. Where two overlap and neither was released yet, the one written later gives way: whoever
// sees that one come back has seen the other before, whichever clocks the leaders that decided them go by.
func (c *Cache) Reservation(key types.NamespacedName, attempt int) Standing {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gangs[key]
	if g == nil || g.watched == nil || g.watched.Status.Berth == nil || int(g.watched.Status.Berth.Attempt) != attempt ||
		!g.holds(attempt) || newer(g.obj, g.watched) {
		return Unseen
	}
	mine := c.takes(g)
	for name, theirs := range c.rivals(g, mine) {
		if n := c.nodes[name]; n != nil && n.registered() && overfull(n, mine[name], theirs) {
			return Clashes
		}
	}
	return Stands
}

// rivals sums what berths that go before g's take of the nodes that g takes.
func (c *Cache) rivals(g *gang, mine map[string]engine.Amounts) map[string]engine.Amounts {
	total := map[string]engine.Amounts{}
	for _, o := range c.gangs {
		b := o.berth()
		if o == g || b == nil || b.State < engine.Reserved || b.Slot.Pool != g.berth().Slot.Pool || !c.before(o, g) {
			continue
		}
		for name, theirs := range c.takes(o) {
			if mine[name] == nil {
				continue
			}
			if total[name] == nil {
				total[name] = engine.Amounts{}
			}
			add(total[name], theirs)
		}
	}
	return total
}

// overfull tells whether a node does not hold its own pods and those of two berths together. Foreign pods are left out:
// they are kube-scheduler's to refuse.
func overfull(n *node, mine, theirs engine.Amounts) bool {
	total := engine.Amounts{}
	add(total, n.System)
	add(total, mine)
	add(total, theirs)
	for name, q := range total {
		if q > n.Allocatable[name] {
			return true
		}
	}
	return false
}

// before tells whether the berth of a keeps its room against that of b.
func (c *Cache) before(a, b *gang) bool {
	x, y := a.berth(), b.berth()
	if x.State != y.State {
		return x.State > y.State
	}
	if released := c.released(a); released != c.released(b) {
		return released
	}
	return older(a.entry, b.entry)
}

// released tells whether Jobs of the berth's attempt were let go.
func (c *Cache) released(g *gang) bool {
	for _, j := range c.jobsOf[g.key] {
		if g.owns(j) && j.attempt == g.berth().Attempt && !j.suspended {
			return true
		}
	}
	return false
}

// takes returns what a gang's berth takes of each node.
func (c *Cache) takes(g *gang) map[string]engine.Amounts {
	out := map[string]engine.Amounts{}
	for _, r := range g.berth().Slot.Roles {
		for i := range g.entered.Roles {
			if role := &g.entered.Roles[i]; role.Name == r.Role {
				for _, name := range r.Nodes {
					if out[name] == nil {
						out[name] = engine.Amounts{}
					}
					add(out[name], role.Pod.Requests)
				}
			}
		}
	}
	return out
}

func add(to, more engine.Amounts) {
	for name, q := range more {
		to[name] += q
	}
}
