package engine

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
)

// find returns the best slot for g in the room of asked, promises to others kept. Where it counts as more there than g asks
// for, and quotas do not allow that, only nodes on which it counts as little as anywhere are looked at. A repair keeps its
// quota.
func (s *State) find(g *gang, r *request, asked *place.Request) (Slot, bool) {
	s.tooDear = false
	slot, ok := s.findAnywhere(g, r, asked)
	if !ok || g.Berth != nil && g.Berth.State >= Reserved || s.allows(g, s.usesOf(g, slot), asked == &r.place) {
		return slot, ok
	}
	for _, pos := range r.dear(s) {
		if asked.Room.Usable(pos) {
			asked.Room.SetUsable(pos, false)
			defer asked.Room.SetUsable(pos, true)
		}
	}
	slot, ok = s.findAnywhere(g, r, asked)
	s.tooDear = !ok || !s.allows(g, s.usesOf(g, slot), asked == &r.place)
	return slot, !s.tooDear
}

// allows tells whether limits, and what others do not lend, leave room for uses; see [team.overLimit] for held.
func (s *State) allows(g *gang, uses []int64, held bool) bool {
	over, _ := g.leaf.overLimit(uses, held)
	return over == nil && s.notLent(g.leaf, uses) < 0
}

// dear returns the nodes on which a pod of some role counts as more than elsewhere.
func (r *request) dear(s *State) []int32 {
	var out []int32
	for _, sh := range r.shapes {
		least := make([]int64, len(r.asks))
		one := &request{pool: r.pool, asks: least}
		s.addAsks(one, sh, 1)
		for pos, n := range r.pool.nodes {
			if !sh.now.Matches(int32(pos)) {
				continue
			}
			for i, q := range s.usesOn(r.pool, sh, n) {
				if q > least[i] {
					out = append(out, int32(pos))
					break
				}
			}
		}
	}
	return out
}

// findAnywhere is find without a look at what the slot counts as. The promises to also are kept whatever happens.
func (s *State) findAnywhere(g *gang, r *request, asked *place.Request, also ...*gang) (Slot, bool) {
	hard, soft := s.boundBy(g, r.pool)
	for _, o := range also {
		if !slices.Contains(hard, o) && !s.outOfTheWay(g, r.pool, o) {
			hard = append(hard, o)
		}
	}
	soft = slices.DeleteFunc(soft, func(o *gang) bool { return slices.Contains(hard, o) })
	if len(hard)+len(soft) == 0 {
		return s.findIn(g, r, asked)
	}
	if slot, ok := s.findBeside(g, r, asked, append(hard, soft...)); ok || len(soft) == 0 {
		return slot, ok
	}
	return s.findBeside(g, r, asked, hard)
}

// findIn returns the best slot for g in the room of asked as it stands.
func (s *State) findIn(g *gang, r *request, asked *place.Request) (Slot, bool) {
	found, ok, bounded := s.look(r.pool, asked)
	g.told.Bounded = bounded
	if !ok {
		return Slot{}, false
	}
	return s.slotOf(g, r, asked, found), true
}

// slotOf puts a found slot into words: the node of each rank by name.
func (s *State) slotOf(g *gang, r *request, asked *place.Request, found place.Slot) Slot {
	slot := Slot{Pool: r.pool.spec.Name, Level: r.pool.tree.Names[found.Level], Domain: r.pool.tree.Path(found.Level, found.Domain)}
	for i, ranks := range place.Ranks(asked, found) {
		names := make([]string, len(ranks))
		for k, pos := range ranks {
			names[k] = r.pool.nodes[pos].Name
		}
		slot.Roles = append(slot.Roles, RoleSlot{Role: g.Roles[i].Name, Nodes: names})
	}
	return slot
}
