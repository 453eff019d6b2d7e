package engine

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
)

const (
	// blameFor is for how long a node is blamed for a gang that it failed, blameLimit how many make it one to avoid (P9).
	blameFor   = 24 * hour
	blameLimit = 3
)

// blame notes that nodes failed under a gang. What happened longer ago than it counts is forgotten.
func (s *State) blame(names []string) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		n, ok := s.nodes[name]
		if !ok {
			continue
		}
		n.failures = slices.DeleteFunc(n.failures, func(at Time) bool { return at <= s.now-blameFor })
		if k := len(n.failures); k > 0 && n.failures[k-1] == s.now {
			continue // one failure under several gangs
		}
		n.failures = append(n.failures, s.now)
		if n.pool != nil && len(n.failures) >= blameLimit && !slices.Contains(n.pool.blamed, n) {
			n.pool.blamed = append(n.pool.blamed, n)
		}
	}
}

// avoided tells whether the node has failed gangs so often lately that it is used only where nothing else will do.
func (n *node) avoided(now Time) bool {
	return len(n.failures) >= blameLimit && n.failures[len(n.failures)-blameLimit] > now-blameFor
}

// look looks for a slot without nodes that fail gangs repeatedly, and only then with them.
func (s *State) look(p *pool, asked *place.Request) (found place.Slot, ok, bounded bool) {
	var avoided []*node
	for _, n := range p.blamed {
		if asked.Room.Usable(n.pos) && n.avoided(s.now) {
			avoided = append(avoided, n)
		}
	}
	if len(avoided) == 0 {
		return s.finder.Find(asked)
	}
	for _, n := range avoided {
		asked.Room.SetUsable(n.pos, false)
	}
	found, ok, bounded = s.finder.Find(asked)
	for _, n := range avoided {
		asked.Room.SetUsable(n.pos, true)
	}
	if ok {
		return found, ok, bounded
	}
	return s.finder.Find(asked)
}
