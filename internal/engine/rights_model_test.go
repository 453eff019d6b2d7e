package engine_test

import (
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// sides returns the children of the lowest common parent of two leaves on either side.
func (m *model) sides(t, v string) (a, b string) {
	ups, downs := m.ancestors(t), m.ancestors(v)
	for i, up := range ups {
		if j := slices.Index(downs, up); j >= 0 {
			return ups[i-1], downs[j-1]
		}
	}
	return ups[len(ups)-1], downs[len(downs)-1]
}

// upTo returns the teams from a leaf up to one above it.
func (m *model) upTo(leaf, top string) []string {
	ups := m.ancestors(leaf)
	return ups[:slices.Index(ups, top)+1]
}

// young tells whether a gang has not yet run for its team's minRuntime.
func (m *model) young(v engine.Gang) bool {
	least := m.quotas[v.Team].MinRuntime
	return least > 0 && (v.Berth.State != engine.Occupied || m.now < v.Berth.Started+least)
}

// mayEvict is P2 as it is written: the clause under which g, which asks for asks and is not counted in, may evict v now,
// and whether v straddles its guarantee.
func (m *model) mayEvict(g engine.Gang, asks map[pair]int64, v engine.Gang) (engine.Rule, bool) {
	switch {
	case m.leaf(g) == m.leaf(v):
		if v.Tier < g.Tier {
			return engine.ByTier, false
		}
		return engine.NoRule, false
	case v.Berth.State != engine.Planned && m.young(v):
		return engine.NoRule, false
	}
	return m.across(g, asks, v, m.uses(v, v.Berth.Slot))
}

// across is P2 (b) and (c), for a gang of another team that is counted in with frees.
func (m *model) across(g engine.Gang, asks map[pair]int64, v engine.Gang, frees map[pair]int64) (engine.Rule, bool) {
	a, b := m.sides(m.leaf(g), m.leaf(v))
	ups := m.upTo(m.leaf(g), a)
	covering := slices.IndexFunc(ups, func(team string) bool { return m.covers(team, asks) })
	claims := func(p pair) bool { return covering >= 0 && m.counts(ups[covering], p) }
	straddles := false
	for _, team := range m.upTo(m.leaf(v), b) {
		above := false
		for p, q := range asks {
			has := m.guarantee(team, p)
			over := q > 0 && frees[p] > 0 && m.used[team][p] > has && (m.counts(team, p) || claims(p))
			above = above || over
			straddles = straddles || over && m.used[team][p]-frees[p] < has
		}
		if !above {
			return engine.NoRule, false
		}
	}
	if covering >= 0 {
		return engine.ByReclaim, straddles
	}
	with := m.share(a, asks, asks, 1)
	if with.Cmp(m.share(b, asks, frees, -1)) > 0 || with.Cmp(m.share(b, asks, nil, 1)) >= 0 {
		return engine.NoRule, false
	}
	for _, team := range m.upTo(m.leaf(v), b) {
		if team != b && !m.leads(team, asks) {
			return engine.NoRule, false
		}
	}
	return engine.ByFairness, false
}

// leads tells whether no sibling of a team has a larger share.
func (m *model) leads(team string, asks map[pair]int64) bool {
	mine := m.share(team, asks, nil, 1)
	return !slices.ContainsFunc(m.children[m.teams[team].Parent], func(s string) bool { return m.share(s, asks, nil, 1).Cmp(mine) > 0 })
}

// rightful tells whether there is an order in which g may evict all victims, each counted out before the next is judged,
// with how many straddling at the least; at most one a team.
func (m *model) rightful(g engine.Gang, asks map[pair]int64, victims []engine.Gang) (straddling int, ok bool) {
	type seen struct {
		left int
		team string
	}
	failed := map[seen]bool{}
	best := -1
	var search func(left, cost int, straddled []string)
	search = func(left, cost int, straddled []string) {
		if left == 0 {
			if best < 0 || cost < best {
				best = cost
			}
			return
		}
		key := seen{left, ""}
		for _, team := range straddled {
			key.team += team + " "
		}
		if failed[key] || best >= 0 && cost >= best {
			return
		}
		failed[key] = true
		for i, v := range victims {
			if left>>i&1 == 0 {
				continue
			}
			rule, straddles := m.mayEvict(g, asks, v)
			if rule == engine.NoRule || straddles && slices.Contains(straddled, v.Team) {
				continue
			}
			then := straddled
			if straddles {
				then = slices.Sorted(slices.Values(append(slices.Clone(straddled), v.Team)))
			}
			m.count(v, -1)
			search(left&^(1<<i), cost+boolTo(straddles, 1), then)
			m.count(v, 1)
		}
	}
	search(1<<len(victims)-1, 0, nil)
	return best, best >= 0
}

// undone tells whether a victim could evict g again right after.
func (m *model) undone(g engine.Gang, asks map[pair]int64, pool string, victims []engine.Gang) bool {
	for _, v := range victims {
		m.count(v, -1)
	}
	t := m.leaf(g)
	m.add(m.used, t, asks, 1)
	out := false
	for _, v := range victims {
		if m.leaf(v) == t || !slices.Contains(m.poolsFor(v), pool) {
			continue
		}
		rule, _ := m.across(v, m.asks(v, pool), g, asks)
		out = out || rule != engine.NoRule
	}
	m.add(m.used, t, asks, -1)
	for _, v := range victims {
		m.count(v, 1)
	}
	return out
}
