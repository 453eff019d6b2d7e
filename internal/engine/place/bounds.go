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
		if level < f.leaf {
			for i := range f.roles {
				r := &f.roles[i]
				put(words, y.squares[f.leaf], int64(r.need)*r.take*r.take)
			}
		}
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

// refine improves the bound of a domain: the exact number of children that each role needs by itself.
func (f *Finder) refine(words []int64, level int, domain int32) {
	dom := f.tree.Levels[level][domain]
	b := &f.benches[level]
	exact, known := int64(1), int64(1)
	for i := range f.roles {
		r := &f.roles[i]
		b.sorted = append(b.sorted[:0], r.cap[level+1][dom.First:dom.End]...)
		slices.Sort(b.sorted)
		sum := int32(0)
		k := len(b.sorted)
		for k > 0 && sum < r.need {
			k--
			sum += b.sorted[k]
		}
		exact = max(exact, int64(len(b.sorted)-k))
		if r.need > 0 {
			known = max(known, ceil(r.need*r.unit, r.most[level][domain]))
		}
	}
	if level+1 < f.leaf {
		known = f.leastChildren(level, domain)
	}
	put(words, f.lay.touched[level+1], max(exact-known, 0))
}

func ceil(a, b int32) int64 {
	if b <= 0 {
		return 1
	}
	return (int64(a) + int64(b) - 1) / int64(b)
}
