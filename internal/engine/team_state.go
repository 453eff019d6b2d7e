package engine

import (
	"cmp"
	"maps"
	"slices"
)

// team is a node of the team tree. A team with children that has gangs of its own keeps them in one more child, self, so
// that gangs and their usage are always in leaves.
type team struct {
	spec     Team
	parent   *team
	children []*team
	self     *team
	cyclic   bool
	paused   bool
	drained  bool
	depth    int
	weight   int64

	quota Quota
	// By pair: guarantee in force, limit, what may be lent of the guarantee, whether the team has an entry.
	guarantee, limit, lendable []int64
	// claims is what the quota asks to be guaranteed.
	claims []int64
	entry  []bool
	// accelerators tells which pairs are accelerators of a pool.
	accelerators []bool
	// used counts planned, reserved and occupied berths, those told to leave not; held counts occupied and reserved
	// ones, leaving or not. Both by pair, children's included.
	used, held []int64

	// holders are the team's gangs with a berth, by name; pending those that are in its order.
	holders []*gang
	pending []*gang
	// next caches the gang that the team would be asked for next in this pass, valid while fresh.
	next  *gang
	fresh bool
	// tried is how many of pending were tried in this pass.
	tried int
}

// pairs interns (pool, resource).
type pairs struct {
	index map[pair]int
	list  []pair
}

type pair struct{ pool, resource string }

func newPairs() pairs { return pairs{index: map[pair]int{}} }

func (p *pairs) of(pool, resource string) int {
	k := pair{pool, resource}
	if i, ok := p.index[k]; ok {
		return i
	}
	p.index[k] = len(p.list)
	p.list = append(p.list, k)
	return len(p.list) - 1
}

// rebuildTeams builds the tree, the entitlements and the usage from the records.
func (s *State) rebuildTeams() {
	s.staleTeams = false
	s.changes++ // what was looked ahead with the former tree holds no longer
	s.internPairs()
	s.root = &team{}
	names := slices.Sorted(maps.Keys(s.teams))
	for _, name := range names {
		t := s.teams[name]
		*t = team{spec: t.spec, quota: s.quotas[name], weight: max(t.spec.Weight, 1)}
	}
	for _, name := range names {
		t := s.teams[name]
		t.parent = s.root
		if up, ok := s.teams[t.spec.Parent]; ok {
			t.parent = up
		}
	}
	for _, name := range names {
		s.link(s.teams[name])
	}
	for _, name := range names {
		if t := s.teams[name]; len(t.children) > 0 {
			t.self = &team{spec: Team{Name: t.spec.Name}, parent: t, weight: 1, quota: Quota{MinRuntime: t.quota.MinRuntime}}
			t.children = append(t.children, t.self)
		}
	}
	s.leaves = s.leaves[:0]
	for _, name := range names {
		s.leaves = append(s.leaves, s.leaf(name))
	}
	s.entitle(s.root)
	s.inherit(s.root, 0)
	for _, id := range slices.Sorted(maps.Keys(s.gangs)) {
		g := s.gangs[id]
		g.charged, g.kept, g.judged, g.pools = nil, nil, nil, nil
		s.join(g)
	}
}

// link hangs t under its parent, or marks it as standing on a cycle.
func (s *State) link(t *team) {
	steps := 0
	for up := t.parent; up != s.root; up = up.parent {
		if steps++; up == t || steps > len(s.teams) {
			t.cyclic = true
			t.parent = s.root
			break
		}
	}
	t.parent.children = append(t.parent.children, t)
}

// inherit hands pause and drain down the tree.
func (s *State) inherit(t *team, depth int) {
	t.depth = depth
	t.paused = t.spec.Paused || t.spec.Drained || t.parent != nil && t.parent.paused
	t.drained = t.spec.Drained || t.parent != nil && t.parent.drained
	for _, c := range t.children {
		c.cyclic = c.cyclic || t.cyclic
		s.inherit(c, depth+1)
	}
}

// internPairs gives every pair that matters an index: the accelerators of each pool, and what quotas name.
func (s *State) internPairs() {
	s.pairs = newPairs()
	for _, p := range s.poolOrder {
		for _, a := range p.spec.Accelerators {
			s.pairs.of(p.spec.Name, a.Resource)
		}
	}
	accelerators := len(s.pairs.list)
	for _, name := range slices.Sorted(maps.Keys(s.quotas)) {
		for _, e := range s.quotas[name].Entries {
			s.pairs.of(e.Pool, e.Resource)
		}
	}
	s.accelerators = make([]bool, len(s.pairs.list))
	for i := range accelerators {
		s.accelerators[i] = true
	}
	for _, p := range s.poolOrder {
		for _, sh := range p.shapes {
			clear(sh.uses)
		}
		clear(p.requests)
	}
	for _, g := range s.gangs {
		g.pools, g.judged = nil, nil
	}
}

// leaf returns the team that holds the gangs of the team called name, or nil.
func (s *State) leaf(name string) *team {
	t, ok := s.teams[name]
	if !ok {
		return nil
	}
	if t.self != nil {
		return t.self
	}
	return t
}

// charge adds sign times uses to what t and its ancestors have used, held, or both.
func (t *team) charge(uses []int64, sign int64, used, held bool) {
	for ; t != nil; t = t.parent {
		for i, q := range uses {
			if used {
				t.used[i] += sign * q
			}
			if held {
				t.held[i] += sign * q
			}
		}
		t.fresh = false
	}
}

// capacityOf returns what the counted nodes hold of a pair, in thousandths.
func (s *State) capacityOf(i int) int64 {
	p, ok := s.pools[s.pairs.list[i].pool]
	if !ok {
		return 0
	}
	k, ok := s.resources.Lookup(s.pairs.list[i].resource)
	if !ok || k >= len(p.capacity) {
		return 0
	}
	return p.capacity[k]
}

// sides returns the children of the lowest common parent of two leaves on either side.
func sides(a, b *team) (*team, *team) {
	for a.depth > b.depth {
		a = a.parent
	}
	for b.depth > a.depth {
		b = b.parent
	}
	for a.parent != b.parent {
		a, b = a.parent, b.parent
	}
	return a, b
}

// inOrder is the order of gangs inside a team.
func inOrder(a, b *gang) int {
	return cmp.Or(-cmp.Compare(a.Tier, b.Tier), -cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Queued, b.Queued),
		cmp.Compare(a.ID, b.ID))
}
