package engine_test

import (
	"maps"
	"math/big"

	"github.com/berth-dev/berth/internal/engine"
)

// pair is what quotas speak of.
type pair struct{ pool, resource string }

// model works the entitlements of teams out from the records, as P1 words them and with nothing of the engine's: amounts
// in thousandths, shares as fractions.
type model struct {
	*records
	children map[string][]string // by parent, "" for the roots
	used     map[string]map[pair]int64
	held     map[string]map[pair]int64
}

func newModel(r *records) *model {
	with := *r
	m := &model{records: &with, children: map[string][]string{}, used: map[string]map[pair]int64{}, held: map[string]map[pair]int64{}}
	m.teams = maps.Clone(r.teams)
	for _, t := range r.teams {
		if t.Parent != "" {
			m.teams[t.Parent+own] = engine.Team{Name: t.Parent + own, Parent: t.Parent, Weight: 1}
		}
	}
	for _, t := range sortedKeys(m.teams) {
		m.children[m.teams[t].Parent] = append(m.children[m.teams[t].Parent], t)
		m.used[t], m.held[t] = map[pair]int64{}, map[pair]int64{}
	}
	for _, g := range r.gangs {
		m.count(g, 1)
	}
	return m
}

// own marks the child that a parent's own gangs form: without guarantee, of weight 1.
const own = "(own)"

// leaf returns the team that a gang's usage is counted in.
func (m *model) leaf(g engine.Gang) string {
	if _, ok := m.teams[g.Team+own]; ok {
		return g.Team + own
	}
	return g.Team
}

// count adds what a gang's berth counts as to its team and all above it: as used unless it leaves for good, as held when
// it has pods.
func (m *model) count(g engine.Gang, sign int64) {
	b := g.Berth
	if b == nil || b.State == engine.Future {
		return
	}
	if b.State >= engine.Reserved {
		m.add(m.held, m.leaf(g), m.uses(g, b.Slot), sign)
	}
	switch {
	case b.Leaving == nil || g.Next != nil:
		m.add(m.used, m.leaf(g), m.uses(g, b.Slot), sign)
	case b.Leaving.Keep != nil:
		m.add(m.used, m.leaf(g), m.uses(g, *b.Leaving.Keep), sign)
	}
}

func (m *model) add(to map[string]map[pair]int64, team string, uses map[pair]int64, sign int64) {
	for _, t := range m.ancestors(team) {
		for p, q := range uses {
			to[t][p] += sign * q
		}
	}
}

// pairs returns the pairs that are accounted for in a pool: its accelerators, and what quotas name.
func (m *model) pairs(pool string) map[pair]bool {
	out := map[pair]bool{{pool, gpu}: true}
	for _, q := range m.quotas {
		for _, e := range q.Entries {
			if e.Pool == pool {
				out[pair{pool, e.Resource}] = true
			}
		}
	}
	return out
}

// onePod returns what a pod counts as on a node: of the accelerator the largest part that it takes of any resource of the
// node, of other resources its request.
func (m *model) onePod(pod engine.Pod, n engine.Node) map[pair]int64 {
	out := map[pair]int64{}
	for p := range m.pairs(m.poolOf(n)) {
		q := pod.Requests[p.resource]
		switch p.resource {
		case gpu:
			for r, asked := range pod.Requests {
				if has := n.Allocatable[r]; asked > 0 && has > 0 {
					out[p] = max(out[p], (asked*n.Allocatable[gpu]*1000+has-1)/has)
				}
			}
		case "cpu":
			out[p] = q
		default:
			out[p] = 1000 * q
		}
	}
	return out
}

// uses returns what a slot counts as.
func (m *model) uses(g engine.Gang, slot engine.Slot) map[pair]int64 {
	out := map[pair]int64{}
	pods(g, slot, func(pod engine.Pod, node string) {
		if n, ok := m.nodes[node]; ok {
			for p, q := range m.onePod(pod, n) {
				out[p] += q
			}
		}
	})
	return out
}

// asks returns what the floor of a gang counts as in a pool, each role on the nodes that suit it best.
func (m *model) asks(g engine.Gang, pool string) map[pair]int64 {
	return m.asksOn(g, pool, func(a, b int64) int64 { return min(a, b) })
}

// dearest returns what the floor counts as on the nodes that suit it worst.
func (m *model) dearest(g engine.Gang, pool string) map[pair]int64 {
	return m.asksOn(g, pool, func(a, b int64) int64 { return max(a, b) })
}

func (m *model) asksOn(g engine.Gang, pool string, choose func(a, b int64) int64) map[pair]int64 {
	out := map[pair]int64{}
	for _, role := range g.Roles {
		var chosen map[pair]int64
		for _, name := range sortedKeys(m.nodes) {
			n := m.nodes[name]
			if m.poolOf(n) != pool || !matches(n, role.Pod) {
				continue
			}
			uses := m.onePod(role.Pod, n)
			if chosen == nil {
				chosen = uses
			}
			for p, q := range uses {
				chosen[p] = choose(chosen[p], q)
			}
		}
		for p, q := range chosen {
			out[p] += q * int64(floor(role))
		}
	}
	return out
}

// capacity is what all registered nodes of a pool hold.
func (m *model) capacity(p pair) int64 {
	if q := m.total(p.pool, p.resource); p.resource == "cpu" {
		return q
	}
	return 1000 * m.total(p.pool, p.resource)
}

// entry returns a team's own entry.
func (m *model) entry(team string, p pair) (engine.Entitlement, bool) {
	for _, e := range m.quotas[team].Entries {
		if e.Pool == p.pool && e.Resource == p.resource {
			return e, true
		}
	}
	return engine.Entitlement{Limit: engine.Unlimited, Lendable: engine.Unlimited}, false
}

// claimed is what a team is guaranteed before anything is scaled: its entry, or the sum of its children's.
func (m *model) claimed(team string, p pair) (sum int64) {
	if e, ok := m.entry(team, p); ok {
		return e.Guaranteed
	}
	for _, c := range m.children[team] {
		sum += m.claimed(c, p)
	}
	return sum
}

// guarantee is the guarantee in force: children that claim more than their parent has are scaled to it, root teams to
// what the pool holds.
func (m *model) guarantee(team string, p pair) int64 {
	has := m.capacity(p)
	if up := m.teams[team].Parent; up != "" {
		has = m.guarantee(up, p)
	}
	var all int64
	for _, c := range m.children[m.teams[team].Parent] {
		all += m.claimed(c, p)
	}
	own := m.claimed(team, p)
	if all <= has {
		return own
	}
	return own * has / all
}

// counts tells whether a team's guarantee is judged by a pair: of the accelerator always, of others where there is one.
func (m *model) counts(team string, p pair) bool {
	return p.resource == gpu || m.guarantee(team, p) > 0
}

// covers tells whether a team stays within its guarantee with more, in all that is asked for and that it is judged by.
func (m *model) covers(team string, more map[pair]int64) bool {
	in := false
	for p, q := range more {
		if q == 0 || !m.counts(team, p) {
			continue
		}
		in = true
		if m.used[team][p]+q > m.guarantee(team, p) {
			return false
		}
	}
	return in
}

// share is a team's share over the pairs of asks, with more used.
func (m *model) share(team string, asks, more map[pair]int64, sign int64) *big.Rat {
	worst := new(big.Rat)
	for p, q := range asks {
		over := m.used[team][p] + sign*more[p] - m.guarantee(team, p)
		if q == 0 || over <= 0 {
			continue
		}
		if s := big.NewRat(over, m.capacity(p)*m.teams[team].Weight); s.Cmp(worst) > 0 {
			worst = s
		}
	}
	return worst
}

// overLimit tells whether some team from a gang's up would pass a limit with more, counting as used or as held.
func (m *model) overLimit(team string, more map[pair]int64, held bool) bool {
	for _, t := range m.ancestors(team) {
		for p, q := range more {
			e, _ := m.entry(t, p)
			if q > 0 && e.Limit != engine.Unlimited && (m.used[t][p]+q > e.Limit || held && m.held[t][p]+q > e.Limit) {
				return true
			}
		}
	}
	return false
}

// lent tells whether what teams beside the gang's own do not lend of their idle guarantees stays free with more.
func (m *model) lent(team string, more map[pair]int64) bool {
	for p, q := range more {
		var kept, used int64
		for _, t := range m.children[""] {
			used += m.used[t][p]
		}
		for _, t := range m.ancestors(team) {
			for _, sibling := range m.children[m.teams[t].Parent] {
				if sibling != t {
					kept += m.keeps(sibling, p)
				}
			}
		}
		if q > 0 && kept > 0 && used+q+kept > m.capacity(p) {
			return false
		}
	}
	return true
}

func (m *model) keeps(team string, p pair) (sum int64) {
	for _, c := range m.children[team] {
		sum += m.keeps(c, p)
	}
	if e, _ := m.entry(team, p); e.Lendable != engine.Unlimited {
		return max(sum, m.guarantee(team, p)-e.Lendable-m.used[team][p])
	}
	return sum
}
