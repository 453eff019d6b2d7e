package place

import "slices"

// found is the best slot so far.
type found struct {
	ok     bool
	level  int
	domain int32
	// words are those of the slot.
	words []int64
	// parts are by role, then in depth-first order.
	parts []placed
}

// placed is what a node takes of a role.
type placed struct {
	role, node, units int32
}

// try evaluates one domain above the nodes exactly and keeps its slot if it is the best.
func (f *Finder) try(level int, domain int32) {
	// Of twins the better one comes first, for their bounds differ in nothing but what the ancestors add.
	if f.best.ok && !f.thorough && f.twins(level, f.best.domain, domain) {
		return
	}
	f.reset()
	f.limitBy(level, domain)
	need := f.roles[0].need
	id := f.build(level, domain, need, need)
	if f.over {
		return
	}
	t := f.tables[id]
	for e := t.from; e < t.to; e++ {
		if f.keys[e] != f.full {
			continue
		}
		if f.keep(f.words[int(e)*f.lay.words:(int(e)+1)*f.lay.words], level, domain) {
			f.got = f.got[:0]
			f.unfold(id, level, domain, f.full)
			f.record()
		}
		return
	}
}

// limitBy sets the ceiling for a domain: by the best slot so far, or, where tables may get large, by a greedy one.
func (f *Finder) limitBy(level int, domain int32) {
	f.ceil.set = false
	switch {
	case f.thorough:
	case f.best.ok:
		f.trial = append(f.trial[:0], f.best.words...)
		f.twin = append(f.twin[:0], f.trial...)
		clear(f.twin)
		f.outerWords(f.twin, level, domain)
		f.trial[0] -= f.twin[0]
		f.setCeiling(f.trial, level, domain)
	case f.size*int(f.nodesIn(level, domain)) > largeTables:
		if f.placeGreedily(level, domain) {
			f.setCeiling(f.price(level, domain), level, domain)
		}
	}
}

// largeTables is how many entries the tables of a domain's nodes may have together before a greedy slot is made first to
// limit the search.
const largeTables = 256

func (f *Finder) nodesIn(level int, domain int32) int32 {
	d := f.tree.Levels[level][domain]
	return d.EndNode - d.FirstNode
}

// record takes what each node takes as the best slot.
func (f *Finder) record() {
	f.best.parts = f.best.parts[:0]
	for i := range f.roles {
		for _, g := range f.got {
			if n := f.roles[i].count(g.key); n > 0 {
				f.best.parts = append(f.best.parts, placed{int32(i), g.node, n})
			}
		}
	}
}

// keep makes a domain the best one if, with its ancestors' words, it is. The caller then records the parts.
func (f *Finder) keep(base []int64, level int, domain int32) bool {
	f.trial = append(f.trial[:0], base...)
	f.outerWords(f.trial, level, domain)
	if f.best.ok && !f.canImprove(f.trial, domain) {
		return false
	}
	b := &f.best
	b.ok, b.level, b.domain = true, level, domain
	b.words = append(b.words[:0], f.trial...)
	return true
}

// slot puts the best slot into words for the caller.
func (f *Finder) slot() Slot {
	s := Slot{Roles: make([][]NodeCount, len(f.roles))}
	if f.pods == 0 {
		return s
	}
	parts := f.best.parts
	low, high := parts[0].node, parts[0].node
	all := make([]NodeCount, len(parts))
	for i, p := range parts {
		low, high = min(low, p.node), max(high, p.node)
		all[i] = NodeCount{Node: p.node, Count: int(p.units * f.roles[p.role].unit)}
	}
	from := 0
	for i := range f.roles {
		to := from
		for to < len(parts) && parts[to].role == int32(i) {
			to++
		}
		s.Roles[i] = slices.Clip(all[from:to])
		from = to
	}
	s.Level = f.tree.Common(low, high)
	s.Domain = f.tree.Ancestor(low, s.Level)
	return s
}
