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

// descend looks at the nodes of a domain, leaving out the domains of which no node has room for all of a role. It returns
// true once no other node can be better.
func (f *Finder) descend(level int, domain int32) bool {
	for i := range f.roles {
		if r := &f.roles[i]; r.most[level][domain] < r.need*r.unit {
			return false
		}
	}
	dom := f.tree.Levels[level][domain]
	switch level {
	case f.leaf:
		return f.tryNodes(domain, domain+1)
	case f.leaf - 1:
		return f.tryNodes(dom.First, dom.End)
	}
	for c := dom.First; c < dom.End; c++ {
		if f.descend(level+1, c) {
			return true
		}
	}
	return false
}

// tryNodes looks at the nodes of one parent, and keeps the best slot. Most nodes are told by their idle capacity alone:
// the more it is, the worse, and two nodes alike differ in nothing but their ancestors.
func (f *Finder) tryNodes(from, to int32) bool {
	worse := int64(-1)
	for n := from; n < to; n++ {
		idle, b := f.idle(f.leaf, n), &f.best
		if b.ok && (idle > f.bestIdle || idle == worse && f.room.Total(f.leaf, n) == f.bestTotal) || !f.holdsAll(n) {
			continue
		}
		f.base = f.base[:0]
		for range f.lay.words {
			f.base = append(f.base, 0)
		}
		f.nodeWords(f.base, n, f.total)
		same := b.ok && idle == f.bestIdle && f.room.Total(f.leaf, n) == f.bestTotal
		if !f.keep(f.base, f.leaf, n) {
			if same {
				worse = idle
			}
			continue
		}
		f.bestIdle, f.bestTotal, worse = idle, f.room.Total(f.leaf, n), idle
		f.putAllOn(n)
		if !f.req.Pack && idle <= f.total && !f.whole(f.leaf, n) {
			return true
		}
	}
	return false
}

// putAllOn makes the best slot that of all pods on one node.
func (f *Finder) putAllOn(node int32) {
	f.best.parts = f.best.parts[:0]
	for i := range f.roles {
		if need := f.roles[i].need; need > 0 {
			f.best.parts = append(f.best.parts, placed{int32(i), node, need})
		}
	}
}

// holdsAll tells whether a node has room for the requests of all roles together.
func (f *Finder) holdsAll(node int32) bool {
	for i := range f.roles {
		if r := &f.roles[i]; r.fits[f.leaf][node] < r.need*r.unit {
			return false
		}
	}
	if len(f.roles) == 1 {
		return true
	}
	free := f.room.Free(node)
	for k, q := range f.asked {
		if q > 0 && (k >= len(free) || free[k] < q) {
			return false
		}
	}
	return true
}
