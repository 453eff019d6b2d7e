package place

// searchNodes looks for the best single node that takes the whole gang.
func (f *Finder) searchNodes() {
	f.layOut(f.leaf, f.idle(0, 0))
	f.cands.words = f.lay.words
	f.asked = f.asked[:0]
	for i := range f.roles {
		for k, q := range f.roles[i].request {
			for k >= len(f.asked) {
				f.asked = append(f.asked, 0)
			}
			f.asked[k] += q * int64(f.roles[i].need)
		}
	}
	level, domain := 0, int32(0)
	if w := f.req.Within; w != nil {
		level, domain = w.Level, w.Index
	}
	f.descend(level, domain)
}

// descend looks at the nodes of a domain, leaving out the domains of which no node has room for all of a role.
func (f *Finder) descend(level int, domain int32) {
	for i := range f.roles {
		if r := &f.roles[i]; r.most[level][domain] < r.need*r.unit {
			return
		}
	}
	if level == f.leaf {
		f.tryNode(domain)
		return
	}
	dom := f.tree.Levels[level][domain]
	for c := dom.First; c < dom.End; c++ {
		f.descend(level+1, c)
	}
}

// tryNode keeps a node as the best slot if it holds the whole gang and is better than the best so far.
func (f *Finder) tryNode(node int32) {
	if len(f.roles) > 1 && !f.holdsAll(node) {
		return
	}
	if b := &f.best; b.ok && f.alike(b.domain, node) {
		return
	}
	f.base = f.base[:0]
	for range f.lay.words {
		f.base = append(f.base, 0)
	}
	f.nodeWords(f.base, node, f.total)
	if !f.keep(f.base, f.leaf, node) {
		return
	}
	f.best.parts = f.best.parts[:0]
	for i := range f.roles {
		if n := f.roles[i].need; n > 0 {
			f.best.parts = append(f.best.parts, placed{int32(i), node, n})
		}
	}
}

// alike tells whether two nodes have the same words as slots: the same capacity under the same parent.
func (f *Finder) alike(a, b int32) bool {
	return f.tree.Levels[f.leaf][a].Parent == f.tree.Levels[f.leaf][b].Parent &&
		f.idle(f.leaf, a) == f.idle(f.leaf, b) && f.room.Total(f.leaf, a) == f.room.Total(f.leaf, b)
}

// holdsAll tells whether a node has room for the requests of all roles together.
func (f *Finder) holdsAll(node int32) bool {
	free := f.room.Free(node)
	for k, q := range f.asked {
		if q > 0 && (k >= len(free) || free[k] < q) {
			return false
		}
	}
	return true
}
