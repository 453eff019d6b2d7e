package place

import (
	"math"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// With one role, how many units fit into a domain decides everything about feasibility: any smaller count that keeps
// the groups fits as well. And where the fewest children are wanted, the k largest of them have at least as much room as
// any other k, say T. Whichever k children take x units together, they leave at most T-x of their room unused. So no child
// of the best slot takes less than its room less T-x; a child smaller than the k-th largest by more than T-x takes no
// part; and one larger than the next after the k-th by more than T-x surely does.

// fill computes how many units of a role with groups fit into a domain, and into all below it.
func (f *Finder) fill(r *role, level int, domain int32) int32 {
	var n int32
	if level == f.leaf {
		n = r.fits[level][domain] / r.unit
	} else {
		dom := f.tree.Levels[level][domain]
		for c := dom.First; c < dom.End; c++ {
			n += f.fill(r, level+1, c)
		}
		n -= n % r.step[level]
	}
	r.cap[level][domain] = n
	return n
}

// window says which children of a domain take part in placing lo to hi units, and with how many.
type window struct {
	open bool
	// slack is how much room the chosen children leave unused at most; children with less room than out take no part,
	// those with more than sure surely do.
	slack, out, sure int64
	lo, hi           int32
	// below is the room of the children not yet merged, least what a set must reach to count.
	below int64
	// few is how many children can take part at most.
	few int64
}

// part is how one child takes part.
type part struct {
	in, must bool
	lo, hi   int32
	// least is the smallest set worth keeping, as a key: with the room of the children before it must reach what is asked.
	least int64
}

// window returns the window for a domain. It is open where several roles, or Pack, make counts no guide.
func (f *Finder) window(level int, dom topo.Domain, lo, hi int32) window {
	if len(f.roles) > 1 {
		return window{open: true, few: f.pods}
	}
	w := window{lo: lo, hi: hi, out: 1, few: f.pods}
	b := &f.benches[level]
	rooms := f.roles[0].cap[level+1][dom.First:dom.End]
	if f.req.Pack || f.thorough {
		w.open = true
	} else {
		w.narrow(b, rooms)
	}
	for _, n := range rooms {
		if int64(n) >= w.out {
			w.below += int64(n)
		}
	}
	return w
}

// narrow sets the bounds from the rooms of the children.
func (w *window) narrow(b *bench, rooms []int32) {
	b.sorted = append(b.sorted[:0], rooms...)
	slices.Sort(b.sorted)
	w.out, w.sure = int64(1)<<62, 0
	var sum int64
	for k := len(b.sorted) - 1; k >= 0 && sum < int64(w.hi); k-- {
		kth, next := int64(b.sorted[k]), int64(0)
		if k > 0 {
			next = int64(b.sorted[k-1])
		}
		before := sum
		sum += kth
		if sum < int64(w.lo) {
			continue
		}
		slack := sum - max(int64(w.lo), before+1)
		w.slack = max(w.slack, slack)
		w.out = min(w.out, kth-slack)
		w.sure = max(w.sure, next+slack)
		w.few = int64(len(b.sorted) - k)
	}
	w.out = max(w.out, 1)
}

// part returns how child c takes part. Children must be asked for from the last to the first.
func (w *window) part(f *Finder, level int, c int32) part {
	if len(f.roles) > 1 {
		for i := range f.roles {
			if f.roles[i].cap[level][c] > 0 && f.roles[i].need > 0 {
				return part{in: true, least: math.MinInt64}
			}
		}
		return part{}
	}
	n := int64(f.roles[0].cap[level][c])
	if n < w.out {
		return part{}
	}
	w.below -= n
	if f.req.Pack && level == f.leaf && f.ceil.set && f.holeTooLarge(c) {
		return part{}
	}
	p := part{in: true, lo: 1, hi: int32(min(n, int64(w.hi))), least: int64(w.lo) - w.below}
	if !w.open {
		p.lo, p.must = int32(max(n-w.slack, 1)), n > w.sure
	}
	return p
}

// holeTooLarge tells whether even one unit on a node lets the squares fall below what a known slot costs.
func (f *Finder) holeTooLarge(node int32) bool {
	r := &f.roles[0]
	idle := f.idle(f.leaf, node)
	return (idle*idle-(idle-r.take)*(idle-r.take)+int64(r.need-1)*r.take*r.take)*f.lay.squares[f.leaf].unit > f.ceil.most
}
