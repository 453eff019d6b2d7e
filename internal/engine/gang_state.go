package engine

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// gang is a Gang with what the state derives from it.
type gang struct {
	Gang
	// leaf is the team whose order or usage the gang is in, nil without one.
	leaf *team
	// taken is what the gang's berths take from rooms now, staying what of it stays when it has left as told; charged what
	// the berth counts as, by pair.
	taken, staying []taking
	charged        []int64
	// usesHeld and usesUsed tell which sums charged is in.
	usesUsed, usesHeld bool
	// pools caches the pools that the gang may go to.
	pools []*pool
	// judged is what it asks for in the first pool that could hold it, by pair.
	judged []int64
	// asks is the gang's ask as text, equal for gangs that ask for the same.
	asks string
	// idled is what the gang's promised slot has kept idle until idledAt, in thousandths of accelerators times seconds.
	idled      int64
	idledAt    Time
	idleOnSlot int64
	// told is what Explain says, by the last pass.
	told Explanation
}

// taking is an amount taken from one node.
type taking struct {
	node   *node
	amount topo.Vec
}

// keep takes over from the gang's former record what still holds.
func (g *gang) keep(old *gang) {
	if g.Berth != nil && g.Berth.State == Future && old.Berth != nil && old.Berth.Since == g.Berth.Since {
		g.idled, g.idledAt, g.idleOnSlot = old.idled, old.idledAt, old.idleOnSlot
	}
	if sameAsk(&old.Gang, &g.Gang) {
		g.asks, g.judged, g.pools = old.asks, old.judged, old.pools
		g.told = old.told
	}
}

// frees tells whether a newer record of a gang gives back anything that an older one held.
func frees(old, g *Gang) bool {
	if old.Berth == nil {
		return false
	}
	return g.Berth == nil || g.Berth.State < old.Berth.State || (g.Berth.Leaving == nil) != (old.Berth.Leaving == nil) ||
		(g.Next == nil) != (old.Next == nil) || !reflect.DeepEqual(g.Berth.Slot, old.Berth.Slot)
}

// sameAsk tells whether two records of a gang ask for the same.
func sameAsk(a, b *Gang) bool {
	return a.Pool == b.Pool && a.Required == b.Required && a.Preferred == b.Preferred && a.Policy == b.Policy &&
		a.Team == b.Team && a.Tier == b.Tier && a.Held == b.Held && a.NotBefore == b.NotBefore &&
		a.FreeOnly == b.FreeOnly && a.MaxRuntime == b.MaxRuntime && reflect.DeepEqual(a.Roles, b.Roles)
}

// enter takes the gang's berth into rooms and usage, or the gang into its team's order.
func (s *State) enter(g *gang) {
	for i := range g.Roles {
		s.vec(g.Roles[i].Pod.Requests)
	}
	if g.asks == "" {
		g.asks = asksOf(&g.Gang)
	}
	if !s.stalePools {
		s.hold(g)
	}
	if !s.stalePools && !s.staleTeams {
		s.join(g)
	}
}

// withdraw undoes enter.
func (s *State) withdraw(g *gang) {
	if !s.stalePools {
		s.letGo(g)
	}
	if !s.staleTeams {
		s.leave(g)
	}
}

// hold takes what the gang's berths need from the rooms.
func (s *State) hold(g *gang) {
	g.taken, g.staying = nil, nil
	for _, b := range []*Berth{g.Berth, g.Next} {
		if b == nil {
			continue
		}
		p, ok := s.pools[b.Slot.Pool]
		if !ok {
			continue
		}
		if b.State == Future {
			p.promised = append(p.promised, g)
			slices.SortFunc(p.promised, byPromise)
			continue
		}
		p.gangs = insertGang(p.gangs, g)
		if b.State == Planned && b == g.Berth {
			p.planned = insertGang(p.planned, g)
		}
		takes := s.takings(g, b.Slot)
		g.taken = append(g.taken, takes...)
		switch {
		case b.Leaving == nil:
			g.staying = append(g.staying, takes...)
		case b.Leaving.Keep != nil:
			g.staying = append(g.staying, s.takings(g, *b.Leaving.Keep)...)
		}
	}
	g.take(-1)
	g.pledge(1)
}

// take takes (sign -1) what the gang holds from the rooms, or gives it back.
func (g *gang) take(sign int) {
	for _, t := range g.taken {
		moveIn(t.node.pool.room, t.node.pos, t.amount, sign)
	}
	for _, t := range g.staying {
		moveIn(t.node.pool.later, t.node.pos, t.amount, sign)
	}
}

// pledge notes what a planned berth takes (sign 1) or no longer takes.
func (g *gang) pledge(sign int64) {
	if g.Berth == nil || g.Berth.State != Planned {
		return
	}
	for _, t := range g.taken {
		p := t.node.pool
		if p.pledged[t.node.pos] == nil {
			p.pledged[t.node.pos] = make(topo.Vec, len(t.amount))
		}
		for k, q := range t.amount {
			p.pledged[t.node.pos][k] += sign * q
		}
	}
}

// takings returns what slot needs on each node of a pool, each node once.
func (s *State) takings(g *gang, slot Slot) []taking {
	var out []taking
	at := map[*node]int{}
	for _, r := range slot.Roles {
		role := g.role(r.Role)
		if role == nil {
			continue
		}
		v := s.resources.Vec(role.Pod.Requests)
		for i := 0; i < len(r.Nodes); {
			run := i + 1
			for run < len(r.Nodes) && r.Nodes[run] == r.Nodes[i] {
				run++
			}
			n, ok := s.nodes[r.Nodes[i]]
			count := int64(run - i)
			i = run
			if !ok || n.pool == nil {
				continue
			}
			k, seen := at[n]
			if !seen {
				k = len(out)
				at[n] = k
				out = append(out, taking{n, make(topo.Vec, s.resources.Len())})
			}
			for j, q := range v {
				out[k].amount[j] += q * count
			}
		}
	}
	return out
}

// letGo gives back what the gang's berths took from the rooms.
func (s *State) letGo(g *gang) {
	g.take(1)
	g.pledge(-1)
	g.taken, g.staying = nil, nil
	for _, b := range []*Berth{g.Berth, g.Next} {
		if b == nil {
			continue
		}
		if p, ok := s.pools[b.Slot.Pool]; ok {
			p.gangs = deleteGang(p.gangs, g)
			p.planned = deleteGang(p.planned, g)
			p.promised = slices.DeleteFunc(p.promised, func(o *gang) bool { return o.ID == g.ID })
		}
	}
}

// join puts the gang into its team's order, or its berth into its team's usage.
func (s *State) join(g *gang) {
	g.leaf = s.leaf(g.Team)
	if g.leaf == nil {
		return
	}
	if g.Berth != nil && g.Berth.State != Future {
		g.charged = s.usesOf(g, g.Berth.Slot)
		g.usesUsed = g.Berth.Leaving == nil || g.Next != nil
		g.usesHeld = g.Berth.State >= Reserved
		g.leaf.charge(g.charged, 1, g.usesUsed, g.usesHeld)
		g.leaf.holders = insertGang(g.leaf.holders, g)
		return
	}
	at, _ := slices.BinarySearchFunc(g.leaf.pending, g, inOrder)
	g.leaf.pending = slices.Insert(g.leaf.pending, at, g)
	g.leaf.stale()
}

// leave undoes join.
func (s *State) leave(g *gang) {
	if g.leaf == nil {
		return
	}
	if g.charged != nil {
		g.leaf.charge(g.charged, -1, g.usesUsed, g.usesHeld)
		g.leaf.holders = deleteGang(g.leaf.holders, g)
		g.charged = nil
		return
	}
	if at, ok := slices.BinarySearchFunc(g.leaf.pending, g, inOrder); ok {
		g.leaf.pending = slices.Delete(g.leaf.pending, at, at+1)
		if at < g.leaf.tried {
			g.leaf.tried--
		}
		g.leaf.stale()
	}
}

// insertGang puts g into a list by name, in the place of a former record of it; deleteGang takes it out.
func insertGang(list []*gang, g *gang) []*gang {
	at, found := slices.BinarySearchFunc(list, g, byID)
	if found {
		list[at] = g
		return list
	}
	return slices.Insert(list, at, g)
}

func deleteGang(list []*gang, g *gang) []*gang {
	if at, found := slices.BinarySearchFunc(list, g, byID); found {
		return slices.Delete(list, at, at+1)
	}
	return list
}

// elastic tells whether a role may run with fewer pods than it wants.
func (g *gang) elastic() bool {
	return slices.ContainsFunc(g.Roles, func(r Role) bool { return r.floor() < r.Count })
}

func (g *gang) role(name string) *Role {
	i := slices.IndexFunc(g.Roles, func(r Role) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &g.Roles[i]
}

// floor returns how many pods of a role must run: whole groups.
func (r *Role) floor() int {
	if r.Floor <= 0 || r.Floor > r.Count {
		return r.Count
	}
	return r.Floor
}

// asksOf returns a text that is equal for gangs that ask for the same placement.
func asksOf(g *Gang) string {
	var b strings.Builder
	for _, f := range []string{g.Pool, g.Required, g.Preferred} {
		b.WriteString(f)
		b.WriteByte('|')
	}
	b.WriteString(strconv.Itoa(int(g.Policy)))
	for i := range g.Roles {
		r := &g.Roles[i]
		b.WriteByte('|')
		b.WriteString(strconv.Itoa(r.floor()))
		for _, grp := range r.Groups {
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(grp.Size))
			b.WriteString(grp.Level)
		}
		b.WriteString(podKey(&r.Pod))
	}
	return b.String()
}

// podKey returns a text that is equal for pods that ask for the same.
func podKey(p *Pod) string {
	var b strings.Builder
	for _, k := range sortedNames(p.Requests) {
		b.WriteString(k)
		b.WriteByte('=')
		b.WriteString(strconv.FormatInt(p.Requests[k], 10))
		b.WriteByte(';')
	}
	for _, t := range p.Selector {
		b.WriteByte('[')
		for _, r := range t {
			b.WriteString(r.Key + " " + string(r.Operator) + " " + strings.Join(r.Values, ",") + ";")
		}
		b.WriteByte(']')
	}
	for _, t := range p.Tolerations {
		b.WriteString("(" + t.Key + " " + t.Operator + " " + t.Value + " " + t.Effect + ")")
	}
	return b.String()
}
