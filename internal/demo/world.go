package demo

import (
	"slices"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// gpusPerNode is how many accelerators a node of the cluster has, and every pod of the demo asks for.
const gpusPerNode = 8

// world is what the board shows of the cluster at one time.
type world struct {
	gangs []gang // in the order of their creation
	racks []rack // in the order of their names
}

// gang is a row of the table of jobs.
type gang struct {
	namespace, name string
	tier            v1alpha1.Tier
	phase           v1alpha1.Phase
	reason, message string
	readyPods       string
	accelerators    int64
	domain          string // of its slot, such as s0/r3; empty without one
	nodes           []string
	attempts        int32
	preemptions     int32
	created         time.Time
}

func (g gang) key() string { return g.namespace + "/" + g.name }

// rack is a row of the map of the pool.
type rack struct {
	spine, name string
	nodes       []node // in the order of their names
}

// node is a cell of the map.
type node struct {
	name string
	gang string // key of the gang whose pods are bound to it and have not ended; empty: none
	pods int
}

// free is how many nodes of the rack nobody uses.
func (r rack) free() int {
	free := 0
	for _, n := range r.nodes {
		if n.gang == "" {
			free++
		}
	}
	return free
}

// find returns the gang of the name.
func (w world) find(name string) (gang, bool) {
	i := slices.IndexFunc(w.gangs, func(g gang) bool { return g.name == name })
	if i < 0 {
		return gang{}, false
	}
	return w.gangs[i], true
}

// running tells whether all named gangs are there and Running.
func (w world) running(names ...string) bool {
	for _, name := range names {
		if g, found := w.find(name); !found || g.phase != v1alpha1.PhaseRunning {
			return false
		}
	}
	return true
}

// succeeded tells whether all gangs have.
func (w world) succeeded() bool {
	return !slices.ContainsFunc(w.gangs, func(g gang) bool { return g.phase != v1alpha1.PhaseSucceeded })
}

// pods is how many pods of the gang are bound to nodes and have not ended.
func (w world) pods(key string) int {
	pods := 0
	for _, r := range w.racks {
		for _, n := range r.nodes {
			if n.gang == key {
				pods += n.pods
			}
		}
	}
	return pods
}
