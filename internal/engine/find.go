package engine

import (
	"github.com/berth-dev/berth/internal/engine/place"
)

// find returns the best slot for g in the room of asked, promises to others kept.
func (s *State) find(g *gang, r *request, asked *place.Request) (Slot, bool) {
	hard, soft := s.boundBy(g, r.pool)
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
