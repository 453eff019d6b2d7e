package place

import (
	"slices"
)

// oracle enumerates every slot of a small request and keeps the best. It shares nothing with the search: capacity is
// added up from the machines, groups are checked rank by rank, and the words are computed from what is left when the
// whole gang is placed.
type oracle struct {
	p *pool
	r *Request
	// counts has, by role and node, the pods placed.
	counts [][]int
	best   *judged
	// each, if set, is told of every slot, and none is judged.
	each func(counts [][]int)
}

// judged is a slot with its words.
type judged struct {
	counts [][]int
	words  []int64
}

// solve returns the best slot, nil if there is none.
func solve(p *pool, r *Request) *judged {
	o := &oracle{p: p, r: r}
	o.run()
	return o.best
}

// run visits the slots: inside the required level, or, for Pack, inside the preferred level if there are any, and so on
// outwards.
func (o *oracle) run() {
	for range o.r.Roles {
		o.counts = append(o.counts, make([]int, len(o.p.machines)))
	}
	from := o.r.Required
	if o.r.Pack {
		from = max(from, o.r.Preferred)
	}
	for level := from; level >= o.r.Required && o.best == nil; level-- {
		o.place(0, level)
	}
}

// place tries every set of pods on node n and those after it.
func (o *oracle) place(n, level int) {
	if n == len(o.p.machines) {
		if o.complete() && o.inside(level) && o.whole() {
			o.take()
		}
		return
	}
	o.fill(0, n, level)
}

func (o *oracle) fill(i, n, level int) {
	if i == len(o.r.Roles) {
		o.place(n+1, level)
		return
	}
	placed := 0
	for _, c := range o.counts[i] {
		placed += c
	}
	for k := 0; placed+k <= o.r.Roles[i].Count; k++ {
		o.counts[i][n] = k
		if !o.fits(n) {
			break
		}
		o.fill(i+1, n, level)
	}
	o.counts[i][n] = 0
}

func (o *oracle) fits(n int) bool {
	m := o.p.machines[n]
	gpus, cpus := m.gpus-m.usedGPU, m.cpus-m.usedCPU
	for i, role := range o.r.Roles {
		k := int64(o.counts[i][n])
		if k > 0 && (m.unusable || !role.Shape.Matches(int32(n))) {
			return false
		}
		gpus -= k * role.Shape.Request[gpu]
		cpus -= k * role.Shape.Request[cpu]
	}
	return gpus >= 0 && cpus >= 0
}

func (o *oracle) complete() bool {
	for i, role := range o.r.Roles {
		sum := 0
		for _, c := range o.counts[i] {
			sum += c
		}
		if sum != role.Count {
			return false
		}
	}
	return true
}

// inside tells whether one domain of level holds all pods.
func (o *oracle) inside(level int) bool { return o.touched(level) <= 1 }

func (o *oracle) touched(level int) int {
	n, last := 0, int32(-1)
	for node := range o.p.machines {
		if o.on(node) == 0 {
			continue
		}
		if d := o.p.tree.Ancestor(int32(node), level); d != last {
			n, last = n+1, d
		}
	}
	return n
}

// on returns how many pods are on a node.
func (o *oracle) on(node int) int {
	sum := 0
	for i := range o.counts {
		sum += o.counts[i][node]
	}
	return sum
}

// whole checks the groups rank by rank.
func (o *oracle) whole() bool {
	for i, role := range o.r.Roles {
		var ranks []int32
		for n, c := range o.counts[i] {
			for range c {
				ranks = append(ranks, int32(n))
			}
		}
		for _, g := range role.Groups {
			if len(ranks)%g.Size != 0 {
				return false
			}
			for k := 0; k < len(ranks); k += g.Size {
				if o.p.tree.Ancestor(ranks[k], g.Level) != o.p.tree.Ancestor(ranks[k+g.Size-1], g.Level) {
					return false
				}
			}
		}
	}
	return true
}

func (o *oracle) take() {
	if o.each != nil {
		o.each(o.counts)
		return
	}
	o.judge()
}

// judge computes the words of the slot and keeps it if it is the best.
func (o *oracle) judge() {
	words := o.words()
	if o.best == nil || slices.Compare(words, o.best.words) < 0 {
		o.best = &judged{words: words}
		for _, c := range o.counts {
			o.best.counts = append(o.best.counts, slices.Clone(c))
		}
	}
}

// words computes the list that P8 compares, from the state before and after.
func (o *oracle) words() []int64 {
	tree := o.p.tree
	leaf := tree.NodeLevel()
	var words []int64
	var total, asked int64
	for _, m := range o.p.machines {
		total += m.gpus
	}
	for _, role := range o.r.Roles {
		asked += int64(role.Count) * role.Shape.Request[cpu]
	}
	sum := func(level int, domain int32, of func(node int) int64) int64 {
		var s int64
		for n := tree.Levels[level][domain].FirstNode; level < leaf && n < tree.Levels[level][domain].EndNode; n++ {
			s += of(int(n))
		}
		if level == leaf {
			return of(int(domain))
		}
		return s
	}
	before := func(n int) int64 {
		m := o.p.machines[n]
		if m.unusable {
			return 0
		}
		if total == 0 && asked == 0 {
			return 0
		}
		if total == 0 {
			return m.cpus - m.usedCPU
		}
		return m.gpus - m.usedGPU
	}
	after := func(n int) int64 {
		left := before(n)
		for i := range o.counts {
			k := gpu
			if total == 0 {
				k = cpu
			}
			left -= int64(o.counts[i][n]) * o.r.Roles[i].Shape.Request[k]
		}
		return left
	}
	capacity := func(n int) int64 { return o.p.machines[n].gpus }
	pods := func(n int) int64 { return int64(o.on(n)) }
	each := func(level int, do func(d int32)) {
		for d := range tree.Levels[level] {
			do(int32(d))
		}
	}
	if o.r.Pack {
		for l := leaf; l >= 0; l-- {
			var squares int64
			each(l, func(d int32) { squares += sum(l, d, after) * sum(l, d, after) })
			words = append(words, -squares)
		}
	}
	common := 0
	for l := 1; l <= leaf; l++ {
		t := o.touched(l)
		words = append(words, int64(t))
		if t == 1 {
			common = l
		}
	}
	for l := common; l <= leaf; l++ {
		var left int64
		each(l, func(d int32) {
			if sum(l, d, pods) > 0 {
				left += sum(l, d, after)
			}
		})
		words = append(words, left)
	}
	var broken, stranded int64
	for l := range leaf + 1 {
		each(l, func(d int32) {
			if whole := sum(l, d, capacity); whole > 0 && sum(l, d, before) == whole && sum(l, d, after) < whole {
				broken++
			}
		})
	}
	each(leaf, func(d int32) {
		n := int(d)
		if total > 0 && after(n) < capacity(n) {
			stranded += after(n)
		}
	})
	words = append(words, broken, stranded)
	for l := 1; l <= leaf; l++ {
		each(l, func(d int32) {
			for i := range o.counts {
				words = append(words, -sum(l, d, func(n int) int64 { return int64(o.counts[i][n]) }))
			}
		})
	}
	return words
}
