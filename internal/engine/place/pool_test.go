package place

import (
	"fmt"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// Resources of the tests, by index.
const (
	gpu = iota
	cpu
	width
)

// machine is a node of a test pool.
type machine struct {
	path []string
	name string
	// gpus and cpus are the capacity, usedGPU and usedCPU what is taken of it.
	gpus, cpus       int64
	usedGPU, usedCPU int64
	unusable         bool
	// kind is matched by roles that name one.
	kind string
}

// pool is a room with what it was made from.
type pool struct {
	tree     *topo.Tree
	room     *topo.Room
	machines []machine
}

// newPool makes a pool of machines, which it puts into depth-first order.
func newPool(levels []string, machines []machine) *pool {
	places := make([]topo.Place, len(machines))
	for i, m := range machines {
		places[i] = topo.Place{Node: m.name, Path: m.path}
	}
	tree, order := topo.NewTree(levels, places)
	p := &pool{tree: tree}
	for _, i := range order {
		p.machines = append(p.machines, machines[i])
	}
	weights := make([]int64, width)
	weights[gpu] = 1
	p.room = topo.NewRoom(tree, width, weights,
		func(n int32) topo.Vec { return topo.Vec{p.machines[n].gpus, p.machines[n].cpus} },
		func(n int32) bool { return !p.machines[n].unusable })
	for n, m := range p.machines {
		p.room.Take(int32(n), topo.Vec{m.usedGPU, m.usedCPU})
	}
	return p
}

// role makes a role of count pods on nodes of a kind ("" for any).
func (p *pool) role(count int, gpus, cpus int64, kind string, groups ...Group) Role {
	match := func(n int32) bool { return kind == "" || p.machines[n].kind == kind }
	return Role{Shape: topo.NewShape(p.room, topo.Vec{gpus, cpus}, match), Count: count, Groups: groups}
}

func (p *pool) request(roles ...Role) *Request {
	return &Request{Tree: p.tree, Room: p.room, Roles: roles}
}

// names puts the ranks of a slot into node names.
func (p *pool) names(r *Request, s Slot) [][]string {
	var out [][]string
	for _, ranks := range Ranks(r, s) {
		var names []string
		for _, n := range ranks {
			names = append(names, p.machines[n].name)
		}
		out = append(out, names)
	}
	return out
}

// racks returns machines of 8 GPUs in racks of the given size, of which free[i] GPUs are free on the i-th.
func racks(size int, free ...int64) []machine {
	var out []machine
	for i, f := range free {
		out = append(out, machine{
			path: []string{fmt.Sprintf("r%d", i/size)}, name: fmt.Sprintf("n%02d", i), gpus: 8, cpus: 96, usedGPU: 8 - f,
		})
	}
	return out
}
