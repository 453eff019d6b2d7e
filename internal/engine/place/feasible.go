package place

// feasible tells whether a domain of level has a slot. Counts decide for one role; for several, a greedy placement
// mostly proves that there is one, and tables that there is none.
func (f *Finder) feasible(level int) (ok, bounded bool) {
	if len(f.roles) == 1 {
		return f.anyIn(level), false
	}
	from, to := f.scope(level)
	for d := from; d < to; d++ {
		if !f.mayHold(level, d) {
			continue
		}
		if f.placeGreedily(level, d) {
			return true, false
		}
		if level == f.leaf {
			continue
		}
		if f.tooLarge() || f.over {
			bounded = true
			continue
		}
		if f.holds(level, d) {
			return true, false
		}
		bounded = bounded || f.over
	}
	return false, bounded
}

// holds tells by tables without costs whether a domain holds the gang; not, too, when that took too long (f.over).
func (f *Finder) holds(level int, domain int32) bool {
	f.lay.reset(f.leaf + 1)
	f.lay.words, f.ceil.set = 1, false
	f.prepare()
	f.reset()
	id := f.build(level, domain, 0, 0)
	if f.over {
		return false
	}
	for e := f.tables[id].from; e < f.tables[id].to; e++ {
		if f.keys[e] == f.full {
			return true
		}
	}
	return false
}
