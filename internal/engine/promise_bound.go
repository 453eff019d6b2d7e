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
	look := s.outlookOf(p, o)
	look.charge(-1)
	charged, held := g.charged, g.Berth
	g.charged = gr.asks
	g.leaf.charge(g.charged, 1, true, false)
	g.Berth = &Berth{State: Occupied, Started: s.now, Slot: Slot{Pool: p.spec.Name}}
	rule, straddles := s.mayEvict(o, or.asks, g, o.Berth.NotBefore)
	g.leaf.charge(g.charged, -1, true, false)
	g.charged, g.Berth = charged, held
	look.charge(1)
	return rule != NoRule && !straddles
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
		kept = append(kept, s.keptFree(p, o)...)
	}
	takeAll(kept, -1)
	f()
	takeAll(kept, 1)
}

// keeping calls f while the rooms lack what is promised to others that bind g.
func (s *State) keeping(g *gang, p *pool, f func() bool) (ok bool) {
	hard, _ := s.boundBy(g, p)
	s.reserving(p, hard, func() { ok = f() })
	return ok
}
