package engine

import (
	"strings"

	"github.com/berth-dev/berth/internal/engine/place"
)

// boundBy returns the gangs whose promised slots in p keep g out: hard ones always, soft ones only while another slot
// fits, since g comes before them.
func (s *State) boundBy(g *gang, p *pool) (hard, soft []*gang) {
	for _, o := range p.promised {
		switch {
		case o == g || s.outOfTheWay(g, p, o):
		case o.leaf == g.leaf && inOrder(o, g) < 0 || o.leaf != g.leaf && o.leaf != nil && s.precedes(o, g):
			hard = append(hard, o)
		default:
			soft = append(soft, o)
		}
	}
	return hard, soft
}

// outOfTheWay tells whether g would have left o's slot by the time that it was promised for: it ends before, it may be
// evicted as a backfill, or o may evict it then.
func (s *State) outOfTheWay(g *gang, p *pool, o *gang) bool {
	if g.Evictable || g.MaxRuntime > 0 && s.now+max(g.MaxRuntime-g.Ran, 0) <= o.Berth.NotBefore {
		return true
	}
	gr, or := s.requestIn(g, p), s.requestIn(o, p)
	if gr == nil || or == nil {
		return false
	}
	gone := s.goneBy(p, o.Berth.NotBefore)
	for _, v := range gone {
		s.count(v, -1)
	}
	charged := g.charged
	g.charged = gr.asks
	g.leaf.charge(g.charged, 1, true, false)
	held := g.Berth
	g.Berth = &Berth{State: Occupied, Started: s.now, Slot: Slot{Pool: p.spec.Name}}
	rule, straddles := s.mayEvict(o, or.asks, g, o.Berth.NotBefore)
	g.Berth = held
	g.leaf.charge(g.charged, -1, true, false)
	g.charged = charged
	for _, v := range gone {
		s.count(v, 1)
	}
	return rule != NoRule && !straddles
}

// goneBy returns the gangs in p that are known to end by an instant.
func (s *State) goneBy(p *pool, at Time) []*gang {
	var out []*gang
	for _, v := range p.gangs {
		if v.leaf != nil && v.charged != nil && s.endOf(v) <= at {
			out = append(out, v)
		}
	}
	return out
}

// boundKey returns a text that is equal for gangs that the same promises bind in p.
func (s *State) boundKey(g *gang, p *pool) string {
	if len(p.promised) == 0 {
		return ""
	}
	hard, soft := s.boundBy(g, p)
	var b strings.Builder
	for _, o := range hard {
		b.WriteString(o.ID + "!")
	}
	for _, o := range soft {
		b.WriteString(o.ID + "?")
	}
	return b.String()
}

// findBeside returns the best slot for g that leaves what is promised to others.
func (s *State) findBeside(g *gang, r *request, asked *place.Request, others []*gang) (slot Slot, ok bool) {
	s.reserving(r.pool, others, func() { slot, ok = s.findIn(g, r, asked) })
	return slot, ok
}

// reserving calls f while the room lacks what is promised to others and will not come free on its own by then.
func (s *State) reserving(p *pool, others []*gang, f func()) {
	var kept []taking
	for _, o := range others {
		kept = append(kept, s.residue(p, o)...)
	}
	takeAll(kept, -1)
	f()
	takeAll(kept, 1)
}

// residue returns, per node of o's promised slot, what must stay free now: the slot less what will have been given back.
func (s *State) residue(p *pool, o *gang) []taking {
	back := map[*node][]int64{}
	for _, v := range s.releasedBy(p, o) {
		for _, t := range v.taken {
			if back[t.node] == nil {
				back[t.node] = make([]int64, s.resources.Len())
			}
			for k, q := range t.amount {
				back[t.node][k] += q
			}
		}
	}
	out := s.takings(o, o.Berth.Slot)
	for _, t := range out {
		b := back[t.node]
		for k := range t.amount {
			if b != nil {
				given := min(t.amount[k], b[k])
				t.amount[k] -= given
				b[k] -= given
			}
		}
	}
	return out
}

// releasedBy returns the gangs that will be gone when o's promise falls due: ended, or evictable then.
func (s *State) releasedBy(p *pool, o *gang) []*gang {
	gone := s.goneBy(p, o.Berth.NotBefore)
	r := s.requestIn(o, p)
	if r == nil {
		return gone
	}
	released := map[*gang]bool{}
	for _, v := range gone {
		released[v] = true
		s.count(v, -1)
	}
	taken := s.takenBackAt(o, r, o.Berth.NotBefore, released)
	for _, v := range gone {
		s.count(v, 1)
	}
	return append(gone, taken...)
}

// keeping calls f while the rooms lack what is promised to others that bind g.
func (s *State) keeping(g *gang, p *pool, f func() bool) (ok bool) {
	hard, _ := s.boundBy(g, p)
	s.reserving(p, hard, func() { ok = f() })
	return ok
}
