package baseline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// Scheduler decides by a [Policy]. What there is to see of teams and pools it leaves to an engine that never decides.
type Scheduler struct {
	*engine.State
	policy  Policy
	pools   map[string]engine.Pool
	nodes   map[string]*Node
	foreign map[string]engine.Foreign
	gangs   map[string]engine.Gang
	// shapes are those of the waiting gangs, by ID.
	shapes map[string]string
	// waiting has the gangs without a berth in the order in which they came.
	waiting []engine.Gang
	// changed is true when there is something to decide.
	changed bool
	// byName are the nodes in order of their names, with their pools; nil when that is to be made anew.
	byName []*Node
}

// New returns a scheduler that knows of nothing yet.
func New(p Policy) *Scheduler {
	return &Scheduler{
		State: engine.New(engine.DefaultConfig()), policy: p, pools: map[string]engine.Pool{}, nodes: map[string]*Node{},
		foreign: map[string]engine.Foreign{}, gangs: map[string]engine.Gang{},
		shapes: map[string]string{},
	}
}

// SetNode adds a node or replaces what was known of it.
func (s *Scheduler) SetNode(n engine.Node) {
	s.State.SetNode(n)
	node := newNode(n)
	for _, f := range s.foreign {
		if f.Node == n.Name {
			node.take(f.Requests, 1)
		}
	}
	s.nodes[n.Name] = node
	for _, g := range s.gangs {
		s.hold(g, 1, n.Name)
	}
	s.changed, s.byName = true, nil
}

// SetPool adds a pool or replaces what was known of it.
func (s *Scheduler) SetPool(p engine.Pool) {
	s.State.SetPool(p)
	s.pools[p.Name] = p
	s.changed, s.byName = true, nil
}

// SetForeign adds a pod of somebody else's.
func (s *Scheduler) SetForeign(f engine.Foreign) {
	s.RemoveForeign(f.Name)
	s.State.SetForeign(f)
	s.foreign[f.Name] = f
	if n := s.nodes[f.Node]; n != nil {
		n.take(f.Requests, 1)
	}
}

// RemoveForeign removes such a pod.
func (s *Scheduler) RemoveForeign(name string) {
	s.State.RemoveForeign(name)
	f, known := s.foreign[name]
	if !known {
		return
	}
	delete(s.foreign, name)
	if n := s.nodes[f.Node]; n != nil {
		n.take(f.Requests, -1)
	}
	s.changed = true
}

// SetGang adds a gang or replaces what was known of it.
func (s *Scheduler) SetGang(g engine.Gang) {
	s.forget(g.ID)
	s.State.SetGang(g)
	s.gangs[g.ID] = g
	s.hold(g, 1, "")
	if g.Berth == nil && !g.Held {
		at, _ := slices.BinarySearchFunc(s.waiting, g, byArrival)
		s.waiting = slices.Insert(s.waiting, at, g)
		s.shapes[g.ID] = shapeOf(&g)
		s.changed = true
	}
}

// RemoveGang forgets a gang.
func (s *Scheduler) RemoveGang(id string) {
	s.forget(id)
	s.State.RemoveGang(id)
}

func (s *Scheduler) forget(id string) {
	g, known := s.gangs[id]
	if !known {
		return
	}
	delete(s.gangs, id)
	if at, waits := slices.BinarySearchFunc(s.waiting, g, byArrival); waits {
		s.waiting = slices.Delete(s.waiting, at, at+1)
		delete(s.shapes, id)
	}
	if g.Berth != nil {
		s.hold(g, -1, "")
		s.changed = true
	}
}

func byArrival(a, b engine.Gang) int {
	return cmp.Or(cmp.Compare(a.Queued, b.Queued), cmp.Compare(a.ID, b.ID))
}

// hold takes what a gang's berth needs, on one node or, without a name, on all.
func (s *Scheduler) hold(g engine.Gang, sign int64, only string) {
	if g.Berth == nil {
		return
	}
	for _, part := range g.Berth.Slot.Roles {
		at := slices.IndexFunc(g.Roles, func(r engine.Role) bool { return r.Name == part.Role })
		for _, name := range part.Nodes {
			if n := s.nodes[name]; n != nil && at >= 0 && (only == "" || only == name) {
				n.take(g.Roles[at].Pod.Requests, sign)
			}
		}
	}
}

// Decide starts every gang that fits, in the order in which they came.
func (s *Scheduler) Decide(engine.Time) []engine.Decision {
	if !s.changed {
		return nil
	}
	s.changed = false
	s.order()
	var out []engine.Decision
	refused := map[string]bool{}
	for _, g := range s.waiting {
		shape := s.shapes[g.ID]
		if refused[shape] {
			continue
		}
		slot, ok := s.place(&g)
		if !ok {
			refused[shape] = true
			continue
		}
		out = append(out, engine.Decision{Kind: engine.Admit, Gang: g.ID, Slot: slot})
	}
	for _, d := range out { // until the caller says so itself
		s.hold(engine.Gang{Roles: s.gangs[d.Gang].Roles, Berth: &engine.Berth{Slot: d.Slot}}, -1, "")
	}
	return out
}

// order makes the list of nodes anew where it must.
func (s *Scheduler) order() {
	if s.byName != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
		n := s.nodes[name]
		n.pool, _ = s.NodePool(name)
		n.accelerators = s.pools[n.pool].Accelerators
		s.byName = append(s.byName, n)
	}
}

// Next is never: time alone changes nothing.
func (s *Scheduler) Next(engine.Time) (engine.Time, bool) { return 0, false }

// Explain knows one reason.
func (s *Scheduler) Explain(string, engine.Time) engine.Explanation {
	return engine.Explanation{Reason: engine.NoCoherentSlot}
}
