package engine

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// Usage is what a team uses of one resource of a pool, in thousandths of a piece.
type Usage struct {
	// Used counts planned, reserved and occupied berths.
	Used int64
	// Guaranteed is the guarantee in force: in proportion where more is guaranteed than there is.
	Guaranteed int64
	// Limit is the team's own limit, or [Unlimited].
	Limit int64
	// Borrowed is what is used above the guarantee, Lent what others use of it.
	Borrowed, Lent int64
}

// Usage returns what a team uses of a resource of a pool, children included.
func (s *State) Usage(teamName, poolName, resource string) Usage {
	s.sync()
	t, ok := s.teams[teamName]
	i, known := s.pairs.index[pair{poolName, resource}]
	if !ok || !known {
		return Usage{Limit: Unlimited}
	}
	u := Usage{Used: max(t.used[i], t.held[i]), Guaranteed: t.guarantee[i], Limit: t.limit[i]}
	u.Borrowed = max(0, u.Used-u.Guaranteed)
	u.Lent = s.lent(t, i)
	return u
}

// lent returns how much of a team's idle guarantee others use: what is not idle in the pool of what all guarantees hold
// idle, attributed in proportion.
func (s *State) lent(t *team, i int) int64 {
	unused := max(0, t.guarantee[i]-t.used[i])
	if unused == 0 || t.parent == nil {
		return 0
	}
	var allUnused, allBorrowed int64
	for _, c := range s.root.children {
		allUnused += max(0, c.guarantee[i]-c.used[i])
		allBorrowed += max(0, c.used[i]-c.guarantee[i])
	}
	unguaranteed := s.capacityOf(i) - childGuarantees(s.root, i)
	lentInAll := max(0, allBorrowed-max(0, unguaranteed))
	if allUnused == 0 {
		return 0
	}
	return mulDiv(unused, min(lentInAll, allUnused), allUnused)
}

// Share returns a team's dominant share in thousandths, and the pool and resource that it is of: the largest
// max(0, usage - guarantee) / capacity / weight over all pairs.
func (s *State) Share(teamName string) (milli int64, poolName, resource string) {
	s.sync()
	t, ok := s.teams[teamName]
	if !ok {
		return 0, "", ""
	}
	worst := ratio{0, 1, 1}
	for i, pr := range s.pairs.list {
		over := t.used[i] - t.guarantee[i]
		if over <= 0 {
			continue
		}
		if r := (ratio{over, s.capacityOf(i), t.weight}); cmpRatio(r, worst) > 0 {
			worst, poolName, resource = r, pr.pool, pr.resource
		}
	}
	return worst.milli(), poolName, resource
}

// Overcommitted returns what root teams are guaranteed of a resource of a pool, what its registered nodes hold, both in
// thousandths, and whether the first is more.
func (s *State) Overcommitted(poolName, resource string) (guaranteed, capacity int64, over bool) {
	s.sync()
	i, ok := s.pairs.index[pair{poolName, resource}]
	if !ok {
		return 0, 0, false
	}
	for _, t := range s.root.children {
		guaranteed = addSat(guaranteed, t.claimed(i))
	}
	capacity = s.capacityOf(i)
	return guaranteed, capacity, guaranteed > capacity
}

// claimed returns what a team's quota asks to be guaranteed, before anything is scaled.
func (t *team) claimed(i int) int64 {
	if t.entry[i] {
		return t.claims[i]
	}
	var sum int64
	for _, c := range t.children {
		sum = addSat(sum, c.claimed(i))
	}
	return sum
}

// DomainView is the live state of one domain. Accelerators are weighted pieces.
type DomainView struct {
	// Level is the level's name: "" for the pool, "node" for a node.
	Level string
	// Path are the names of the domain's ancestors and its own, outermost first, without the pool.
	Path []string
	// Nodes are registered; ReadyNodes of them can be used: Ready, not cordoned, not stuck.
	Nodes, ReadyNodes int
	Total, Free       int64
	// LargestSlot is how many idle accelerators the largest gang of whole nodes could have: those of wholly free nodes.
	LargestSlot int64
	// Stranded and Idle give Φ_frag = Stranded/Idle: idle accelerators on nodes that are not wholly free.
	Stranded, Idle int64
	Cordoned       bool
	// Unlabelled tells that a node lacks the label of the level or of one above: it stands there by itself.
	Unlabelled bool
	// Stuck is how many nodes are written off until gangs that should have left long ago do.
	Stuck int
}

// Domains returns all domains of a pool, level by level, outermost first, in depth-first order.
func (s *State) Domains(poolName string) []DomainView {
	s.sync()
	p, ok := s.pools[poolName]
	if !ok {
		return nil
	}
	var out []DomainView
	for level := range p.tree.Levels {
		for d := range int32(len(p.tree.Levels[level])) {
			out = append(out, p.view(level, d))
		}
	}
	return out
}

func (p *pool) view(level int, domain int32) DomainView {
	dom := p.tree.Levels[level][domain]
	v := DomainView{
		Level: p.tree.Names[level], Path: p.tree.Path(level, domain), Nodes: int(dom.EndNode - dom.FirstNode),
		Total: p.room.Total(level, domain), Free: p.room.Idle(level, domain), Idle: p.room.Idle(level, domain),
	}
	v.Cordoned = p.cordoned(v.Path)
	v.Unlabelled = slices.ContainsFunc(v.Path, topo.Missing)
	for i := dom.FirstNode; i < dom.EndNode; i++ {
		v.Stuck += boolInt(p.nodes[i].stuck)
		if !p.room.Usable(i) {
			continue
		}
		v.ReadyNodes++
		if idle := max(p.room.NodeIdle(i), 0); idle == p.room.NodeTotal(i) {
			v.LargestSlot += idle
		} else {
			v.Stranded += idle
		}
	}
	return v
}

// NodePool returns the pool that a node belongs to, empty if none, and further pools that select it.
func (s *State) NodePool(name string) (owner string, others []string) {
	s.sync()
	n, ok := s.nodes[name]
	if !ok || n.pool == nil {
		return "", nil
	}
	return n.pool.spec.Name, slices.Clone(n.others)
}
