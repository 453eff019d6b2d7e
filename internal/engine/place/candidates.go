package place

// candidates are the domains of a level which, by counts, may hold the gang, in a heap by what they could achieve at
// best, then by index.
type candidates struct {
	domains []int32
	// refined tells that a candidate's bound is as good as it gets.
	refined []bool
	bounds  []int64
	words   int
	heap    []int32
}

func (c *candidates) reset(words int) {
	c.domains, c.refined, c.bounds, c.heap = c.domains[:0], c.refined[:0], c.bounds[:0], c.heap[:0]
	c.words = words
}

func (c *candidates) bound(i int32) []int64 { return c.bounds[int(i)*c.words : (int(i)+1)*c.words] }

func (c *candidates) before(a, b int32) bool {
	if d := less(c.bound(a), c.bound(b)); d != 0 {
		return d < 0
	}
	return c.domains[a] < c.domains[b]
}

// order makes the heap.
func (c *candidates) order() {
	for i := range c.domains {
		c.heap = append(c.heap, int32(i))
	}
	for i := len(c.heap)/2 - 1; i >= 0; i-- {
		c.sink(i)
	}
}

func (c *candidates) sink(i int) {
	for {
		k := 2*i + 1
		if k >= len(c.heap) {
			return
		}
		if k+1 < len(c.heap) && c.before(c.heap[k+1], c.heap[k]) {
			k++
		}
		if !c.before(c.heap[k], c.heap[i]) {
			return
		}
		c.heap[i], c.heap[k] = c.heap[k], c.heap[i]
		i = k
	}
}

// drop removes the first.
func (c *candidates) drop() {
	last := len(c.heap) - 1
	c.heap[0] = c.heap[last]
	c.heap = c.heap[:last]
	c.sink(0)
}

// scope returns the range of a level's domains that the request may look at.
func (f *Finder) scope(level int) (from, to int32) {
	w := f.req.Within
	if w == nil || level < w.Level {
		return 0, int32(len(f.tree.Levels[level]))
	}
	return f.under(level, w.Level, w.Index)
}

// under returns the range of the domains of a level inside one domain further out.
func (f *Finder) under(level, outer int, domain int32) (from, to int32) {
	from, to = domain, domain+1
	for ; outer < level && from < to; outer++ {
		from, to = f.tree.Levels[outer][from].First, f.tree.Levels[outer][to-1].End
	}
	return from, to
}

// anyIn tells whether some domain of a level may hold the gang by counts.
func (f *Finder) anyIn(level int) bool {
	from, to := f.scope(level)
	for d := from; d < to; d++ {
		if f.mayHold(level, d) {
			return true
		}
	}
	return false
}

// mayHold tells whether a domain may hold the gang by the counts of each role. For a gang of one role it is exact above
// the nodes and on them.
func (f *Finder) mayHold(level int, domain int32) bool {
	for i := range f.roles {
		if r := &f.roles[i]; r.fits[level][domain] < r.need*r.unit {
			return false
		}
	}
	if f.oneKind && f.total > f.idle(level, domain) {
		return false
	}
	for i := range f.roles {
		if r := &f.roles[i]; r.grouped && f.fill(r, level, domain) < r.need {
			return false
		}
	}
	return true
}

// search looks for the best slot inside single domains of a level; f.best has it.
func (f *Finder) search(level int) bool {
	f.best.ok = false
	if level == f.leaf {
		f.searchNodes()
		return f.best.ok
	}
	if !f.collect(level) {
		return false
	}
	if f.tooLarge() {
		f.searchGreedily(level)
		return f.best.ok
	}
	f.prepare()
	c := &f.cands
	for len(c.heap) > 0 && !f.over {
		i := c.heap[0]
		d := c.domains[i]
		if f.best.ok && !f.thorough && !f.canImprove(c.bound(i), d) {
			break
		}
		if !c.refined[i] {
			c.refined[i] = true
			f.refine(c.bound(i), level, d)
			c.sink(0)
			continue
		}
		if f.try(level, d); !f.over {
			c.drop()
		}
	}
	if f.over && !f.best.ok {
		f.searchGreedily(level)
	}
	return f.best.ok
}

// canImprove tells whether a candidate with this bound could be better than the best so far.
func (f *Finder) canImprove(bound []int64, domain int32) bool {
	d := less(bound, f.best.words)
	return d < 0 || d == 0 && domain < f.best.domain
}

// collect gathers the candidates of a level and their bounds.
func (f *Finder) collect(level int) bool {
	c := &f.cands
	c.reset(0)
	from, to := f.scope(level)
	var most int64
	for d := from; d < to; d++ {
		if f.mayHold(level, d) {
			c.domains = append(c.domains, d)
			most = max(most, f.idle(level, d))
		}
	}
	if len(c.domains) == 0 {
		return false
	}
	f.layOut(level, most)
	c.words = f.lay.words
	for _, d := range c.domains {
		at := len(c.bounds)
		for range c.words {
			c.bounds = append(c.bounds, 0)
		}
		f.lower(c.bounds[at:], level, d)
		c.refined = append(c.refined, f.req.Pack)
	}
	c.order()
	return true
}

// prepare sizes the buffers that tables need.
func (f *Finder) prepare() {
	for len(f.benches) <= f.leaf {
		f.benches = append(f.benches, bench{})
	}
	if len(f.slots) < f.size {
		f.slots = make([]int32, f.size)
	}
}
