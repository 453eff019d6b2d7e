package simulate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// ledger is the run's own account of who holds what on which node, kept apart from the engine's so that the two can be
// compared.
type ledger struct {
	nodes map[string]*machine
	order []*machine
	// Accelerators over all nodes that are Ready: how many there are, how many are held, how many are idle on nodes that
	// are wholly free.
	total, held, whole int64
	// broken collects nodes that hold more than they have.
	broken []string
}

// machine is a node with what is on it.
type machine struct {
	engine.Node
	used engine.Amounts
	pool string
	// weights are those of the accelerators of the node's pool.
	weights []engine.Accelerator
	// accelerators and idle are weighted sums.
	accelerators, idle int64
	// gangs that have pods here, with how many.
	gangs map[*gang]int
}

func newLedger(nodes []engine.Node) *ledger {
	l := &ledger{nodes: make(map[string]*machine, len(nodes))}
	for _, n := range nodes {
		m := &machine{Node: n, used: engine.Amounts{}, gangs: map[*gang]int{}}
		l.nodes[n.Name] = m
		l.order = append(l.order, m)
	}
	return l
}

// join tells the ledger which pool a node is in and which accelerators that counts.
func (l *ledger) join(m *machine, pool string, weights []engine.Accelerator) {
	l.count(m, -1)
	m.pool, m.weights = pool, weights
	m.accelerators = weigh(m.Allocatable, weights)
	m.idle = m.accelerators - weigh(m.used, weights)
	l.count(m, 1)
}

// setReady marks a node Ready or, since an instant, not; one that is not counts for nothing.
func (l *ledger) setReady(m *machine, ready bool, now engine.Time) {
	l.count(m, -1)
	if m.Ready && !ready {
		m.NotReadySince = now
	}
	if m.Ready = ready; ready {
		m.NotReadySince = 0
	}
	l.count(m, 1)
}

// take puts so many pods' requests on a node; a negative count takes them away.
func (l *ledger) take(m *machine, requests engine.Amounts, pods int64) {
	l.count(m, -1)
	for name, amount := range requests {
		m.used[name] += amount * pods
		if pods > 0 && m.used[name] > m.Allocatable[name] {
			l.broken = append(l.broken, fmt.Sprintf("node %s holds %d %s of %d", m.Name, m.used[name], name, m.Allocatable[name]))
		}
	}
	m.idle = m.accelerators - weigh(m.used, m.weights)
	l.count(m, 1)
}

// count adds a node to the sums, or takes it out of them.
func (l *ledger) count(m *machine, sign int64) {
	if !m.Ready {
		return
	}
	l.total += sign * m.accelerators
	l.held += sign * (m.accelerators - m.idle)
	if m.idle == m.accelerators {
		l.whole += sign * m.idle
	}
}

// place puts a gang's pods on their nodes, or with a negative sign takes them away.
func (l *ledger) place(g *gang, slot engine.Slot, sign int) {
	for i := range slot.Roles {
		role := roleNamed(g.Roles, slot.Roles[i].Role)
		if role == nil {
			continue
		}
		for _, node := range slot.Roles[i].Nodes {
			m, known := l.nodes[node]
			if !known {
				continue
			}
			l.take(m, role.Pod.Requests, int64(sign))
			if m.gangs[g] += sign; m.gangs[g] == 0 {
				delete(m.gangs, g)
			}
		}
	}
}

// on lists the gangs that have pods on a node, in order of submission.
func (m *machine) on() []*gang {
	return slices.SortedFunc(maps.Keys(m.gangs), func(a, b *gang) int { return a.order - b.order })
}

// fragmentation is Φ_frag over all Ready nodes: the share of idle accelerators on nodes that are not wholly free.
func (l *ledger) fragmentation() float64 {
	idle := l.total - l.held
	if idle <= 0 {
		return 0
	}
	return 1 - float64(l.whole)/float64(idle)
}

func (l *ledger) utilization() float64 {
	if l.total == 0 {
		return 0
	}
	return float64(l.held) / float64(l.total)
}

func weigh(amounts engine.Amounts, weights []engine.Accelerator) int64 {
	var sum int64
	for _, w := range weights {
		sum += amounts[w.Resource] * max(w.Weight, 1)
	}
	return sum
}

func roleNamed(roles []engine.Role, name string) *engine.Role {
	for i := range roles {
		if roles[i].Name == name {
			return &roles[i]
		}
	}
	return nil
}
