package place

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// The greedy placement serves where the exact one would take too long. It places one role after the other, the one with
// the largest units first, each into the largest children, so that they and their own children are few, and the rest into
// the tightest node that holds it. For
// gangs of one role it finds a slot whenever there is one; with several it may miss one. Domains that have pods of an
// earlier role are taken first.

// searchGreedily places the gang greedily into the first candidate of a level that lets it.
func (f *Finder) searchGreedily(level int) {
	f.over = true
	for c := &f.cands; len(c.heap) > 0; c.drop() {
		if d := c.domains[c.heap[0]]; f.placeGreedily(level, d) {
			f.best.ok, f.best.level, f.best.domain = true, level, d
			return
		}
	}
}

// placeGreedily places the gang into one domain, and tells whether all of it found room. f.best has the parts.
func (f *Finder) placeGreedily(level int, domain int32) bool {
	dom, width := f.tree.Levels[level][domain], f.room.Width()
	first, end := domain, domain+1
	if level < f.leaf {
		first, end = dom.FirstNode, dom.EndNode
	}
	f.spare = f.spare[:0]
	for n := first; n < end; n++ {
		f.spare = append(f.spare, f.room.Free(n)...)
	}
	for l := len(f.counts); l <= f.leaf; l++ {
		f.counts, f.taken = append(f.counts, nil), append(f.taken, nil)
	}
	for l := level; l <= f.leaf; l++ {
		f.counts[l], f.taken[l] = resize(f.counts[l], len(f.tree.Levels[l])), resize(f.taken[l], len(f.tree.Levels[l]))
		from, to := f.under(l, level, domain)
		clear(f.taken[l][from:to])
	}
	f.best.parts = f.best.parts[:0]
	for _, i := range f.bySize() {
		r := &f.roles[i]
		if f.countSpare(r, level, domain, first, width) < r.need {
			return false
		}
		if f.req.Pack && r.step[level] == 1 && level < f.leaf {
			f.fillHoles(i, level, first, end)
		} else {
			f.spread(i, level, level, domain, r.need)
		}
		for _, p := range f.best.parts {
			if p.role == int32(i) {
				free := f.spare[int(p.node-first)*width : int(p.node-first+1)*width]
				for k, q := range r.request {
					if q != 0 {
						free[k] -= q * int64(p.units)
					}
				}
			}
		}
	}
	slices.SortFunc(f.best.parts, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.role, b.role), cmp.Compare(a.node, b.node))
	})
	return true
}

// bySize returns the roles, those with the largest units first.
func (f *Finder) bySize() []int {
	f.order = f.order[:0]
	for i := range f.roles {
		f.order = append(f.order, i)
	}
	slices.SortStableFunc(f.order, func(a, b int) int {
		x, y := &f.roles[a], &f.roles[b]
		return cmp.Or(cmp.Compare(y.take, x.take), cmp.Compare(x.most[0][0]/max(x.unit, 1), y.most[0][0]/max(y.unit, 1)))
	})
	return f.order
}

// countSpare counts how many units of a role the spare room holds, for a domain and all below it.
func (f *Finder) countSpare(r *role, level int, domain, first int32, width int) int32 {
	var n int32
	if level == f.leaf {
		if r.fits[level][domain] > 0 {
			n = min(topo.Count(f.spare[int(domain-first)*width:int(domain-first+1)*width], r.request), r.need)
		}
	} else {
		dom := f.tree.Levels[level][domain]
		for c := dom.First; c < dom.End; c++ {
			n += f.countSpare(r, level+1, c, first, width)
		}
		n -= n % r.step[level]
	}
	f.counts[level][domain] = n
	return n
}

// spread places n units of role i below a domain that has room for them, as part of a placement into one of level root.
func (f *Finder) spread(i, root, level int, domain, n int32) {
	if level == f.leaf {
		f.place(i, root, domain, n)
		return
	}
	dom, counts, taken := f.tree.Levels[level][domain], f.counts[level+1], f.taken[level+1]
	for n > 0 {
		best := int32(-1)
		for c := dom.First; c < dom.End; c++ {
			if counts[c] > 0 && (best < 0 || taken[c].units > 0 && taken[best].units == 0 ||
				(taken[c].units > 0) == (taken[best].units > 0) && suits(counts[c], counts[best], n, level+1 == f.leaf)) {
				best = c
			}
		}
		take := min(n, counts[best])
		counts[best] = 0
		f.spread(i, root, level+1, best, take)
		n -= take
	}
}

// fillHoles places all units of role i into the smallest holes among a domain's nodes that have room for them.
func (f *Finder) fillHoles(i, level int, first, end int32) {
	n, counts := f.roles[i].need, f.counts[f.leaf]
	for size := int64(-1); n > 0; {
		next := int64(math.MaxInt64)
		for k := first; k < end; k++ {
			if idle := f.idle(f.leaf, k); counts[k] > 0 && idle > size {
				next = min(next, idle)
			}
		}
		size = next
		for k := first; k < end && n > 0; k++ {
			if counts[k] > 0 && f.idle(f.leaf, k) == size {
				f.place(i, level, k, min(n, counts[k]))
				n -= min(n, counts[k])
			}
		}
	}
}

// place records that a node takes n units of role i, for the levels from the given one on.
func (f *Finder) place(i, level int, node, n int32) {
	for l, at := f.leaf, node; l >= level; l-- {
		f.taken[l][at].units += n
		f.taken[l][at].take += int64(n) * f.roles[i].take
		at = f.tree.Levels[l][at].Parent
	}
	f.best.parts = append(f.best.parts, placed{int32(i), node, n})
}

// suits tells whether a child with room a suits n units better than one with room b: the larger, but of nodes that hold
// all the tighter.
func suits(a, b, n int32, nodes bool) bool {
	if nodes && a >= n && b >= n {
		return a < b
	}
	return a > b
}

// taking is what a greedy placement takes from a domain.
type taking struct {
	units int32
	take  int64
}

// price computes the words of what was placed greedily in a domain, without what the ancestors add.
func (f *Finder) price(level int, domain int32) []int64 {
	f.twin = f.twin[:0]
	for range f.lay.words {
		f.twin = append(f.twin, 0)
	}
	for l := level; l <= f.leaf; l++ {
		from, to := f.under(l, level, domain)
		for d := from; d < to; d++ {
			if t := f.taken[l][d]; t.units > 0 && l == f.leaf {
				f.nodeWords(f.twin, d, t.take)
			} else if t.units > 0 {
				f.domainWords(f.twin, l, d, t.take, false)
			}
		}
	}
	return f.twin
}
