package engine

import "maps"

// refusalKind says what was refused.
type refusalKind int8

const (
	roomRefusal refusalKind = iota
	planRefusal
	moveRefusal
)

// refusalKey is equal for gangs of equal shape and rights: what failed for one fails for all of them.
type refusalKey struct {
	kind refusalKind
	pool string
	asks string
	// leaf, tier and owner tell rights to evict apart; empty for room.
	leaf  *team
	tier  Tier
	owner string
	// bound tells apart who may use promised room.
	bound string
}

type refusal struct {
	epoch int
	at    Time
	told  Explanation
}

func (s *State) refusalKey(g *gang, r *request, kind refusalKind) refusalKey {
	k := refusalKey{kind: kind, pool: r.pool.spec.Name, asks: g.asks, bound: s.boundKey(g, r.pool)}
	if kind != roomRefusal {
		k.leaf, k.tier = g.leaf, g.Tier
		if g.Berth != nil || g.evened != nil {
			k.owner = g.ID
		}
	}
	return k
}

// refused tells whether a gang of equal shape and rights was refused and nothing has come free since, and passes on why.
func (s *State) refused(g *gang, r *request, kind refusalKind) bool {
	old, ok := s.refusals[s.refusalKey(g, r, kind)]
	if !ok || old.epoch != s.epoch || kind != roomRefusal && old.at != s.now {
		return false
	}
	g.told = old.told
	return true
}

// refuse remembers that g was refused, and finds out why.
func (s *State) refuse(g *gang, r *request, kind refusalKind) {
	if kind == roomRefusal {
		g.told = s.noRoom(g, r)
	}
	if s.tooDear {
		return
	}
	s.refusals[s.refusalKey(g, r, kind)] = refusal{s.epoch, s.now, g.told}
}

// passStaleness forgets refusals that no longer hold. Whatever the last pass decided gives new rights: a plan may be taken
// over, a gang that was admitted may be evicted; so does whatever was heard of a gang.
func (s *State) passStaleness() {
	if s.refusedAt != s.epoch {
		clear(s.refusals)
		s.refusedAt = s.epoch
	}
	if len(s.deciding) > 0 || s.heard {
		s.heard = false
		s.forgetRights()
	}
	for _, p := range s.poolOrder {
		p.medians, p.byCost = nil, nil
		s.countMoves(p)
	}
}

// forgetRights forgets the refusals that rest on what teams use and on who could be evicted.
func (s *State) forgetRights() {
	maps.DeleteFunc(s.refusals, func(k refusalKey, _ refusal) bool { return k.kind != roomRefusal })
}
