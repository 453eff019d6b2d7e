package engine

import (
	"reflect"
	"slices"
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
	// kept is what of charged stays while the gang shrinks, by pair.
	kept []int64
	// usesHeld and usesUsed tell which sums charged is in.
	usesUsed, usesHeld bool
	// pools caches the pools that the gang may go to.
	pools []*pool
	// judged is what it asks for in the first pool that could hold it, by pair.
	judged []int64
	// elastic gangs have a role that may run with fewer pods than it wants.
	elastic bool
	// asks is the gang's ask as text, equal for gangs that ask for the same.
	asks string
	// unpromised is the epoch in which no slot could be promised; outlook what will be when the gang's promise falls due.
	unpromised int
	outlook    *outlook
	// idled is what the gang's promised slot has kept idle until idledAt, in thousandths of accelerators times seconds.
	idled      int64
	idledAt    Time
	idleOnSlot int64
	// evened names the gangs that left for this one by fairness while the state's outside count was evenedSince.
	evened      map[string]bool
	evenedSince int
	// out is true while the berth is out of rooms and usage for a trial.
	out bool
	// triedIn is the last pass in which the gang was tried.
	triedIn int
	// position is the gang's place in its team's order, from 1; told what Explain says, by the last pass.
	position int
	told     Explanation
}

// keep takes over from the gang's former record what still holds.
func (g *gang) keep(old *gang) {
	if g.Berth != nil && g.Berth.State == Future && old.Berth != nil && old.Berth.Since == g.Berth.Since {
		g.idled, g.idledAt, g.idleOnSlot = old.idled, old.idledAt, old.idleOnSlot
	}
	g.evened, g.evenedSince = old.evened, old.evenedSince
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
	g.elastic = slices.ContainsFunc(g.Roles, func(r Role) bool { return r.floor() < r.Count })
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
		if l := g.Berth.Leaving; l != nil && l.Keep != nil {
			g.kept = s.usesOf(g, *l.Keep)
		}
		g.charge(1, true)
		g.leaf.holders = insertGang(g.leaf.holders, g)
		return
	}
	at, _ := slices.BinarySearchFunc(g.leaf.pending, g, inOrder)
	g.leaf.pending = slices.Insert(g.leaf.pending, at, g)
	if at < g.leaf.tried {
		g.leaf.tried++
	}
	g.leaf.stale()
}

// leave undoes join.
func (s *State) leave(g *gang) {
	if g.leaf == nil {
		return
	}
	if g.charged != nil {
		g.charge(-1, true)
		g.leaf.holders = deleteGang(g.leaf.holders, g)
		g.charged, g.kept = nil, nil
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

// charge charges what the gang uses in (sign 1) or out of what teams have used, and have held too if told so. While it
// shrinks, what it keeps is used all the time.
func (g *gang) charge(sign int64, held bool) {
	g.leaf.charge(g.charged, sign, g.usesUsed, g.usesHeld && held)
	if !g.usesUsed {
		g.leaf.charge(g.kept, sign, true, false)
	}
}

// away returns what of the gang's usage is about to leave, nil if nothing is.
func (g *gang) away() []int64 {
	if g.usesUsed {
		return nil
	}
	away := slices.Clone(g.charged)
	for i, q := range g.kept {
		away[i] -= q
	}
	return away
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
