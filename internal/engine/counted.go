package engine

// uncountedAfter is how long a node may be NotReady before it leaves the sum that guarantees rest on.
const uncountedAfter = 30 * minute

// watchReadiness keeps the list of nodes that may leave that sum, or come back to it.
func (s *State) watchReadiness(n *node) {
	if n.Ready && !n.uncounted {
		delete(s.unready, n.Name)
		return
	}
	s.unready[n.Name] = n
}

// discount takes nodes out of the sum that guarantees rest on, and back into it. Entitlements follow.
func (s *State) discount() {
	for name, n := range s.unready {
		uncounted := !n.Ready && n.NotReadySince != 0 && s.now >= n.NotReadySince+uncountedAfter
		if uncounted != n.uncounted {
			n.uncounted, s.staleTeams = uncounted, true
			s.epoch++
			if n.pool != nil && !s.stalePools {
				s.sumCapacity(n.pool)
			}
		}
		if n.Ready {
			delete(s.unready, name)
		}
	}
}

// sumCapacity sums what p's counted nodes hold, by resource.
func (s *State) sumCapacity(p *pool) {
	p.capacity = make([]int64, s.resources.Len())
	for _, n := range p.nodes {
		if n.uncounted {
			continue
		}
		for k, q := range s.resources.Vec(n.Allocatable) {
			p.capacity[k] = addSat(p.capacity[k], s.milli(k, q))
		}
	}
}
