package place

import "slices"

// lower sets words to a lower bound, from counts alone, of what a domain can achieve.
func (f *Finder) lower(words []int64, level int, domain int32) {
	f.outerWords(words, level, domain)
	y, idle := &f.lay, f.idle(level, domain)
	whole := f.total > 0 && f.whole(level, domain)
	if whole {
		put(words, y.broken, 1)
	}
	if !whole {
		put(words, y.stranded, -min(f.total, idle))
	}
	after := max(idle-f.total, 0)
	if level > 0 {
		put(words, y.squares[level], idle*idle-after*after)
	}
	if f.req.Pack {
		return
	}
	put(words, y.left[level], after)
	least := int64(1)
	for l := level + 1; l <= f.leaf; l++ {
		for i := range f.roles {
			if r := &f.roles[i]; l == f.leaf && r.need > 0 {
				least = max(least, ceil(r.need*r.unit, r.most[level][domain]))
			}
		}
		if l == level+1 && l < f.leaf {
			least = max(least, f.leastChildren(level, domain))
		}
		put(words, y.touched[l], least)
	}
}

// leastChildren bounds how many children of a domain above the lowest but one take part.
func (f *Finder) leastChildren(level int, domain int32) int64 {
	dom, least := f.tree.Levels[level][domain], int64(1)
	for i := range f.roles {
		if r := &f.roles[i]; r.need > 0 {
			least = max(least, ceil(r.need*r.unit, slices.Max(r.fits[level+1][dom.First:dom.End])))
		}
	}
	return least
}

// refine improves the bound of a domain for a gang of one role: the exact number of children.
func (f *Finder) refine(words []int64, level int, domain int32) {
	r, dom := &f.roles[0], f.tree.Levels[level][domain]
	b := &f.benches[level]
	b.sorted = append(b.sorted[:0], r.cap[level+1][dom.First:dom.End]...)
	slices.Sort(b.sorted)
	exact, sum := int64(0), int32(0)
	for k := len(b.sorted) - 1; k >= 0 && sum < r.need; k-- {
		sum += b.sorted[k]
		exact++
	}
	known := max(ceil(r.need*r.unit, r.most[level][domain]), 1)
	if level+1 < f.leaf {
		known = max(f.leastChildren(level, domain), 1)
	}
	put(words, f.lay.touched[level+1], exact-known)
}

func ceil(a, b int32) int64 {
	if b <= 0 {
		return 1
	}
	return (int64(a) + int64(b) - 1) / int64(b)
}
