package engine

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/internal/engine/place"
)

// grow gives elastic gangs what is free once all admissions are done (P11), in order of tier, priority, queuedTime and
// name. Growth counts as any usage.
func (s *State) grow() {
	var elastic []*gang
	for _, g := range s.holdersOfBerths() {
		if g.elastic && g.Berth.State >= Reserved && g.Berth.Leaving == nil && g.Next == nil && g.leaf != nil && !g.over(s.now) && wanting(g) > 0 {
			elastic = append(elastic, g)
		}
	}
	slices.SortFunc(elastic, func(a, b *gang) int { return cmp.Or(inOrder(a, b), byID(a, b)) })
	for _, g := range elastic {
		s.growOne(g)
	}
}

// wanting returns how many pods a gang's berth lacks of what its roles want.
func wanting(g *gang) int {
	n := 0
	for _, r := range g.Berth.Slot.Roles {
		if role := g.role(r.Role); role != nil {
			n += role.Count - len(r.Nodes)
		}
	}
	return n
}

// growOne adds, role by role, as many whole groups as fit into the domain of the required level, or the pool.
func (s *State) growOne(g *gang) {
	p := s.pools[g.Berth.Slot.Pool]
	r := s.requestIn(g, p)
	if r == nil {
		return
	}
	slot := cloneSlot(g.Berth.Slot)
	grown := false
	for i := range slot.Roles {
		role := g.role(slot.Roles[i].Role)
		step := 1
		if len(role.Groups) > 0 {
			step = role.Groups[0].Size
		}
		for n := (role.Count - len(slot.Roles[i].Nodes)) / step; n > 0; n-- {
			if nodes, ok := s.extra(g, r, i, n*step); ok {
				slot.Roles[i].Nodes = append(slot.Roles[i].Nodes, nodes...)
				slot = s.named(slot)
				b := *g.Berth
				b.Slot = cloneSlot(slot)
				s.assume(g, &b) // the next role finds what is left
				grown = true
				break
			}
		}
	}
	if grown {
		s.decideGrowth(g, slot)
	}
}

// decideGrowth tells of the larger slot: in the gang's own admission where that is of this pass.
func (s *State) decideGrowth(g *gang, slot Slot) {
	for i := range s.deciding {
		if d := &s.deciding[i]; d.Gang == g.ID && (d.Kind == Admit || d.Kind == Replace) {
			d.Slot = slot
			return
		}
	}
	s.decide(Decision{Kind: Grow, Gang: g.ID, Slot: slot})
}

// extra returns nodes for n more pods of one role, within quota.
func (s *State) extra(g *gang, r *request, role, n int) ([]string, bool) {
	more := r.place
	more.Required, more.Preferred = 0, 0
	more.Roles = []place.Role{r.place.Roles[role]}
	more.Roles[0].Count = n
	if r.place.Required > 0 {
		level, domain, ok := s.domainOf(g.Berth.Slot)
		if !ok {
			return nil, false
		}
		for ; level > r.place.Required; level-- {
			domain = r.pool.tree.Levels[level][domain].Parent
		}
		more.Within = &place.Domain{Level: level, Index: domain}
	}
	asks := make([]int64, len(r.asks))
	one := &request{pool: r.pool, asks: asks}
	s.addAsks(one, r.shapes[role], n)
	if !s.allows(g, asks, true) {
		return nil, false
	}
	var nodes []string
	found := false
	s.reserving(r.pool, s.othersPromised(g, r.pool), func() {
		slot, ok, _ := s.look(r.pool, &more)
		if !ok {
			return
		}
		for _, pos := range place.Ranks(&more, slot)[0] {
			nodes = append(nodes, r.pool.nodes[pos].Name)
		}
		added := Slot{Pool: r.pool.spec.Name, Roles: []RoleSlot{{g.Roles[role].Name, nodes}}}
		found = s.allows(g, s.usesOf(g, added), true)
	})
	return nodes, found
}

// othersPromised returns the gangs whose promised slots growth of g must leave alone.
func (s *State) othersPromised(g *gang, p *pool) []*gang {
	hard, soft := s.boundBy(g, p)
	return append(hard, soft...)
}
