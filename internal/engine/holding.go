package engine

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// taking is an amount taken from one node.
type taking struct {
	node   *node
	amount topo.Vec
}

// hold takes what the gang's berths need from the rooms.
func (s *State) hold(g *gang) {
	s.changes++
	g.taken, g.staying = nil, nil
	for _, b := range []*Berth{g.Berth, g.Next} {
		if b == nil {
			continue
		}
		p, ok := s.pools[b.Slot.Pool]
		if !ok {
			continue
		}
		if b.State == Future {
			p.promised = append(p.promised, g)
			slices.SortFunc(p.promised, byPromise)
			continue
		}
		p.gangs = insertGang(p.gangs, g)
		if b.State == Planned && b == g.Berth {
			p.planned = insertGang(p.planned, g)
		}
		takes := s.takings(g, b.Slot)
		g.taken = append(g.taken, takes...)
		switch {
		case b.Leaving == nil:
			g.staying = append(g.staying, takes...)
		case b.Leaving.Keep != nil:
			g.staying = append(g.staying, s.takings(g, *b.Leaving.Keep)...)
		}
	}
	g.take(-1)
	g.pledge(1)
}

// take takes (sign -1) what the gang holds from the rooms, or gives it back.
func (g *gang) take(sign int) {
	for _, t := range g.taken {
		moveIn(t.node.pool.room, t.node.pos, t.amount, sign)
	}
	for _, t := range g.staying {
		moveIn(t.node.pool.later, t.node.pos, t.amount, sign)
	}
}

// pledge notes what a planned berth takes (sign 1) or no longer takes.
func (g *gang) pledge(sign int64) {
	if g.Berth == nil || g.Berth.State != Planned {
		return
	}
	for _, t := range g.taken {
		p := t.node.pool
		if p.pledged[t.node.pos] == nil {
			p.pledged[t.node.pos] = make(topo.Vec, len(t.amount))
		}
		for k, q := range t.amount {
			p.pledged[t.node.pos][k] += sign * q
		}
	}
}

// takings returns what slot needs on each node of a pool, each node once.
func (s *State) takings(g *gang, slot Slot) []taking {
	var out []taking
	at := map[*node]int{}
	for _, r := range slot.Roles {
		role := g.role(r.Role)
		if role == nil {
			continue
		}
		v := s.resources.Vec(role.Pod.Requests)
		for i := 0; i < len(r.Nodes); {
			run := i + 1
			for run < len(r.Nodes) && r.Nodes[run] == r.Nodes[i] {
				run++
			}
			n, ok := s.nodes[r.Nodes[i]]
			count := int64(run - i)
			i = run
			if !ok || n.pool == nil {
				continue
			}
			k, seen := at[n]
			if !seen {
				k = len(out)
				at[n] = k
				out = append(out, taking{n, make(topo.Vec, s.resources.Len())})
			}
			for j, q := range v {
				out[k].amount[j] += q * count
			}
		}
	}
	return out
}

// letGo gives back what the gang's berths took from the rooms.
func (s *State) letGo(g *gang) {
	s.changes++
	g.take(1)
	g.pledge(-1)
	g.taken, g.staying = nil, nil
	for _, b := range []*Berth{g.Berth, g.Next} {
		if b == nil {
			continue
		}
		if p, ok := s.pools[b.Slot.Pool]; ok {
			p.gangs = deleteGang(p.gangs, g)
			p.planned = deleteGang(p.planned, g)
			p.promised = slices.DeleteFunc(p.promised, func(o *gang) bool { return o.ID == g.ID })
		}
	}
}

// release takes v's berth out of rooms and usage, for a trial; restore puts it back.
func (s *State) release(v *gang) {
	v.out = true
	v.take(1)
	v.charge(-1, true)
}

func (s *State) restore(v *gang) {
	v.out = false
	v.take(-1)
	v.charge(1, true)
}

// takeAll takes (sign -1) from the rooms, or gives back.
func takeAll(takings []taking, sign int) {
	for _, t := range takings {
		t.node.pool.move(t.node.pos, t.amount, sign)
	}
}
