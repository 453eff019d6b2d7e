package place

// A slot that is already known sets a ceiling: sets of pods that even with the fewest further domains lead to something
// worse need not be kept. The first packed word is compared. With Locality it has the number of domains of the outer
// levels, which counts bound well. With Pack it has how much the squares fall over the nodes, which is least where every
// unit finds a hole of just its size.

// ceiling is what the first packed word of a slot may be at most.
type ceiling struct {
	set  bool
	most int64
	// least has, per role, level and number of units, how many domains take these at the fewest.
	least   [][][]int32
	buckets []int32
}

// setCeiling takes words, those of a known slot without what the ancestors add, as the ceiling for a domain.
func (f *Finder) setCeiling(words []int64, level int, domain int32) {
	c := &f.ceil
	c.set, c.most = true, words[0]
	if f.lay.stranded.word == 0 {
		// This one word may still fall.
		c.most += f.total * f.lay.stranded.unit
	}
	if f.req.Pack {
		return
	}
	for len(c.least) < len(f.roles) {
		c.least = append(c.least, nil)
	}
	for i := range f.roles {
		for len(c.least[i]) <= f.leaf {
			c.least[i] = append(c.least[i], nil)
		}
		for l := level + 1; l <= f.leaf && f.lay.touched[l].word == 0; l++ {
			from, to := f.under(l, level, domain)
			c.least[i][l] = c.fewest(c.least[i][l], f.roles[i].need, f.roles[i].cap[l][from:to])
		}
	}
}

// fewest returns into out, for 0 to need units, how many of the domains with the given rooms take these at the fewest.
func (c *ceiling) fewest(out []int32, need int32, rooms []int32) []int32 {
	out = append(out[:0], 0)
	c.buckets = resize(c.buckets, int(need)+1)
	clear(c.buckets)
	for _, n := range rooms {
		c.buckets[min(n, need)]++
	}
	k := int32(0)
	for n := need; n > 0 && len(out) <= int(need); n-- {
		for range c.buckets[n] {
			k++
			for j := int32(0); j < n && len(out) <= int(need); j++ {
				out = append(out, k)
			}
			if len(out) > int(need) {
				break
			}
		}
	}
	for len(out) <= int(need) {
		out = append(out, k)
	}
	return out
}

// hopeless tells whether a set of pods, taken by children of a domain of level at the cost of words, cannot be part of a
// slot below the ceiling.
func (f *Finder) hopeless(level int, key uint64, words []int64) bool {
	if !f.ceil.set || key == 0 {
		return false
	}
	least := words[0]
	if f.req.Pack {
		for i := range f.roles {
			r := &f.roles[i]
			least += int64(r.need-r.count(key)) * r.take * r.take * f.lay.squares[f.leaf].unit
		}
		return least > f.ceil.most
	}
	for l := level + 1; l <= f.leaf && f.lay.touched[l].word == 0; l++ {
		var more int32
		for i := range f.roles {
			r := &f.roles[i]
			more = max(more, f.ceil.least[i][l][r.need-r.count(key)])
		}
		least += int64(more) * f.lay.touched[l].unit
	}
	return least > f.ceil.most
}

// cut removes hopeless sets from a row.
func (f *Finder) cut(r *row, level int) {
	if !f.ceil.set {
		return
	}
	words, kept := f.lay.words, 0
	for i, key := range r.keys {
		if f.hopeless(level, key, r.words[i*words:]) {
			continue
		}
		r.keys[kept], r.takes[kept], r.index[kept] = key, r.takes[i], r.index[i]
		copy(r.words[kept*words:(kept+1)*words], r.words[i*words:(i+1)*words])
		kept++
	}
	r.keys, r.takes, r.index, r.words = r.keys[:kept], r.takes[:kept], r.index[:kept], r.words[:kept*words]
}
