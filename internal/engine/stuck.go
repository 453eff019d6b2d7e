package engine

// stuckAfter is how long after its grace a victim may still hold its nodes before they are written off (P4).
const stuckAfter = 2 * minute

// overdue tells whether a gang still holds its berth although its grace was over long ago.
func (g *gang) overdue(now Time) bool {
	return g.Berth != nil && g.Berth.Leaving != nil && g.Berth.Leaving.Rule != ByMove && now >= g.Berth.Leaving.Deadline+stuckAfter
}

// writeOff takes nodes that overdue gangs hold out of use, and those back into use that none holds any more. Plans on
// them are remade.
func (s *State) writeOff() {
	held := map[string]bool{}
	for _, p := range s.poolOrder {
		for _, g := range p.gangs {
			if g.overdue(s.now) {
				for _, t := range g.taken {
					held[t.node.Name] = true
				}
			}
		}
	}
	for _, names := range []map[string]bool{s.stuck, held} {
		for name := range names {
			if n, ok := s.nodes[name]; ok && n.stuck != held[name] {
				s.epoch++
				n.stuck = held[name]
				s.refreshUsable(n)
			}
		}
	}
	s.stuck = held
}
