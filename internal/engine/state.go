package engine

import (
	"github.com/berth-dev/berth/internal/engine/place"
	"github.com/berth-dev/berth/internal/engine/topo"
)

// State is everything the engine knows. It is not safe for concurrent use.
type State struct {
	cfg       Config
	resources *topo.Resources
	nodes     map[string]*node
	pools     map[string]*pool
	teams     map[string]*team
	quotas    map[string]Quota
	foreign   map[string]Foreign
	gangs     map[string]*gang
	finder    place.Finder

	// poolOrder has the pools by name; root is the parent of all root teams; pairs interns (pool, resource).
	poolOrder []*pool
	root      *team
	pairs     pairs
	// accelerators tells which pairs are accelerators of a pool.
	accelerators []bool
	// stalePools and staleTeams say that membership, or the tree and its entitlements, must be made anew.
	stalePools, staleTeams bool
	// classes interns the allocatable of nodes, so that what depends on it is computed once for all alike.
	classes classes
	// epoch counts the changes that can turn a refusal into an admission; refusals are remembered for one epoch.
	epoch    int
	refusals map[refusalKey]refusal
	// outside counts what has changed without having been decided here.
	outside int
	// changes counts every change of what gangs hold.
	changes int
	// refusedAt is the epoch that the refusals are of.
	refusedAt int
	// unready are the nodes that are not Ready, or no longer counted.
	unready map[string]*node
	// stuck names the nodes that gangs hold which should have left them long ago.
	stuck map[string]bool
	// leaves has the teams that hold gangs, by name.
	leaves []*team
	// tooDear is true when the last slot found was not allowed for what it counts as: less room may bring a better one.
	tooDear bool
	// heard is true when a gang's record has changed since the last pass.
	heard bool
	// pass numbers the passes; deciding collects the decisions of the current one.
	pass     int
	deciding []Decision
	now      Time
}

// New returns an empty state under cfg.
func New(cfg Config) *State {
	return &State{
		cfg: cfg, resources: topo.NewResources(),
		nodes: map[string]*node{}, pools: map[string]*pool{}, teams: map[string]*team{}, quotas: map[string]Quota{},
		foreign: map[string]Foreign{}, gangs: map[string]*gang{}, refusals: map[refusalKey]refusal{},
		unready: map[string]*node{}, pairs: newPairs(), classes: newClasses(), stalePools: true, staleTeams: true,
	}
}

// SetNode adds a node or replaces what was known of it.
func (s *State) SetNode(n Node) {
	s.epoch++
	s.fromOutside()
	old, known := s.nodes[n.Name]
	if known && !s.stalePools && sameMembership(old.Node, n) {
		old.Node = n
		s.refreshUsable(old)
		s.watchReadiness(old)
		return
	}
	fresh := &node{Node: n, pos: -1}
	if known {
		fresh.failures, fresh.stuck = old.failures, old.stuck
	}
	s.nodes[n.Name] = fresh
	s.watchReadiness(fresh)
	s.stalePools = true
}

// RemoveNode forgets a node.
func (s *State) RemoveNode(name string) {
	if _, ok := s.nodes[name]; ok {
		s.epoch++
		s.fromOutside()
		delete(s.nodes, name)
		delete(s.unready, name)
		s.stalePools = true
	}
}

// SetPool adds a pool or replaces what was known of it.
func (s *State) SetPool(p Pool) {
	var cordons [][]string
	if old, ok := s.pools[p.Name]; ok {
		cordons = old.cordons
	}
	s.epoch++
	s.fromOutside()
	s.pools[p.Name] = &pool{spec: p, cordons: cordons}
	s.stalePools, s.staleTeams = true, true
}

// RemovePool forgets a pool. Gangs in it keep their berths.
func (s *State) RemovePool(name string) {
	if _, ok := s.pools[name]; ok {
		s.epoch++
		s.fromOutside()
		delete(s.pools, name)
		s.stalePools, s.staleTeams = true, true
	}
}

// SetCordons says which domains of a pool are out of use: paths of level values, outermost first; an empty path is the
// whole pool.
func (s *State) SetCordons(poolName string, paths [][]string) {
	p, ok := s.pools[poolName]
	if !ok {
		return
	}
	s.epoch++
	s.fromOutside()
	p.cordons = paths
	if !s.stalePools {
		for _, n := range p.nodes {
			s.refreshUsable(n)
		}
	}
}

// SetTeam adds a team or replaces what was known of it.
func (s *State) SetTeam(t Team) {
	s.epoch++
	s.fromOutside()
	s.teams[t.Name] = &team{spec: t}
	s.staleTeams = true
}

// RemoveTeam forgets a team. Its gangs keep their berths.
func (s *State) RemoveTeam(name string) {
	s.epoch++
	s.fromOutside()
	delete(s.teams, name)
	s.staleTeams = true
}

// SetQuota replaces a team's quota.
func (s *State) SetQuota(q Quota) {
	s.epoch++
	s.fromOutside()
	s.quotas[q.Team] = q
	s.staleTeams = true
}

// RemoveQuota forgets a team's quota.
func (s *State) RemoveQuota(teamName string) {
	s.epoch++
	s.fromOutside()
	delete(s.quotas, teamName)
	s.staleTeams = true
}

// SetForeign adds a foreign pod or replaces what was known of it.
func (s *State) SetForeign(f Foreign) {
	s.RemoveForeign(f.Name)
	s.foreign[f.Name] = f
	s.moveForeign(f, -1)
}

// RemoveForeign forgets a foreign pod.
func (s *State) RemoveForeign(name string) {
	if f, ok := s.foreign[name]; ok {
		s.epoch++
		s.moveForeign(f, 1)
		delete(s.foreign, name)
	}
}

// moveForeign takes (sign -1) or gives back what a foreign pod uses.
func (s *State) moveForeign(f Foreign, sign int) {
	if s.stalePools {
		return
	}
	s.changes++
	if n, ok := s.nodes[f.Node]; ok && n.pool != nil {
		v := s.vec(f.Requests)
		if s.stalePools { // a resource was new: rooms must grow
			return
		}
		n.pool.move(n.pos, v, sign)
	}
}

// vec converts amounts; a resource never seen before makes the rooms stale, since their width grows.
func (s *State) vec(a Amounts) topo.Vec {
	before := s.resources.Len()
	v := s.resources.Vec(a)
	if s.resources.Len() != before {
		s.stalePools = true
	}
	return v
}

// SetGang adds a gang or replaces what was known of it, its berth included.
func (s *State) SetGang(g Gang) {
	s.heard = true
	old, known := s.gangs[g.ID]
	if !known || !sameAsk(&old.Gang, &g) {
		s.fromOutside()
	}
	if known {
		s.withdraw(old)
		if frees(&old.Gang, &g) || !sameAsk(&old.Gang, &g) {
			s.epoch++
		}
	}
	next := &gang{Gang: g}
	if known {
		next.keep(old)
	}
	s.gangs[g.ID] = next
	s.enter(next)
}

// RemoveGang forgets a gang and frees its berth.
func (s *State) RemoveGang(id string) {
	if g, ok := s.gangs[id]; ok {
		s.epoch++
		s.fromOutside()
		s.withdraw(g)
		delete(s.gangs, id)
	}
}
