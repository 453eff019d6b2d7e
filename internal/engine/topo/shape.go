package topo

// Shape counts how many pods of one kind fit, per node and per domain, in one [Room].
type Shape struct {
	// Request is what one pod asks for.
	Request Vec
	room    *Room
	// match tells which nodes the pods may go to.
	match []bool
	// fit has the count of each domain, per level; the last level are the nodes. most has the largest count of a single
	// node in the domain.
	fit, most [][]int32
	// generation and seen tell how far the room's log was read.
	generation, seen int
}

// NewShape returns the counts, in room, of pods that ask for request on nodes that match.
func NewShape(room *Room, request Vec, match func(node int32) bool) *Shape {
	s := &Shape{Request: request, room: room, match: make([]bool, len(room.usable))}
	for l := range room.Tree.Levels {
		s.fit = append(s.fit, make([]int32, len(room.Tree.Levels[l])))
		s.most = append(s.most, make([]int32, len(room.Tree.Levels[l])))
	}
	for i := range s.match {
		s.match[i] = match(int32(i))
		s.update(int32(i))
	}
	s.generation, s.seen = room.generation, len(room.log)
	return s
}

// Fit returns how many pods fit into a domain, each node taken by itself.
func (s *Shape) Fit(level int, domain int32) int {
	s.refresh()
	return int(s.fit[level][domain])
}

// Fits returns the counts of all domains of a level. The slice must not be changed; it is good until the room changes.
func (s *Shape) Fits(level int) []int32 {
	s.refresh()
	return s.fit[level]
}

// Most returns the largest count on a single node, for all domains of a level, like [Shape.Fits].
func (s *Shape) Most(level int) []int32 {
	s.refresh()
	return s.most[level]
}

// Matches tells whether the pods may go to node at all.
func (s *Shape) Matches(node int32) bool { return s.match[node] }

// refresh brings the counts up to date with the room.
func (s *Shape) refresh() {
	if s.generation != s.room.generation {
		s.generation, s.seen = s.room.generation, len(s.room.log)
		for i := range s.match {
			s.update(int32(i))
		}
		return
	}
	for ; s.seen < len(s.room.log); s.seen++ {
		s.update(s.room.log[s.seen])
	}
}

func (s *Shape) update(node int32) {
	leaf := s.room.Tree.NodeLevel()
	now, old := s.count(node), s.fit[leaf][node]
	if now == old {
		return
	}
	s.fit[leaf][node], s.most[leaf][node] = now, now
	at := s.room.Tree.Levels[leaf][node].Parent
	for l := leaf - 1; l >= 0; l-- {
		s.fit[l][at] += now - old
		s.updateMost(l, at, old, now)
		at = s.room.Tree.Levels[l][at].Parent
	}
}

// updateMost keeps the largest node count of a domain after one node under it went from old to now.
func (s *Shape) updateMost(level int, domain int32, old, now int32) {
	most := &s.most[level][domain]
	switch {
	case now >= *most:
		*most = now
	case old == *most:
		*most = 0
		d := s.room.Tree.Levels[level][domain]
		for c := d.First; c < d.End; c++ {
			*most = max(*most, s.most[level+1][c])
		}
	}
}

// count returns how many pods fit on node.
func (s *Shape) count(node int32) int32 {
	if !s.match[node] || !s.room.usable[node] {
		return 0
	}
	return Count(s.room.Free(node), s.Request)
}

// maxCount bounds the count of one node, so that a pod that asks for nothing does not overflow the sums over domains.
const maxCount = 1 << 16

// Count returns how many times request goes into free, at most 65,536 times.
func Count(free []int64, request Vec) int32 {
	n := int64(maxCount)
	for k, q := range request {
		if q <= 0 {
			continue
		}
		if k >= len(free) || free[k] < q {
			return 0
		}
		n = min(n, free[k]/q)
	}
	return int32(n)
}
