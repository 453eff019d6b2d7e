package place

import "math/bits"

// Capacity is measured in accelerators, weighted. A pool without any is measured in the resource of which the gang
// takes the largest part of what is free. Very large quantities are scaled so that squares fit into 64 bits.

// setupMeasure chooses what capacity is measured in.
func (f *Finder) setupMeasure() {
	f.substitute = f.room.Total(0, 0) == 0
	f.oneKind = f.substitute || f.room.Kinds() == 1
	f.total, f.scale = 0, scaleOf(f.room.Total(0, 0))
	if f.substitute {
		f.measureFree()
	}
	for i := range f.roles {
		r := &f.roles[i]
		r.take = f.room.Weigh(r.request) >> f.scale
		if f.substitute {
			r.take = r.request.At(f.measured) >> f.scale
		}
		f.total += r.take * int64(r.need)
	}
}

// measureFree sums what every domain has free of the most demanded resource.
func (f *Finder) measureFree() {
	f.measured = f.mostDemanded()
	width := f.room.Width()
	if width > 0 {
		f.scale = scaleOf(f.sums[f.measured])
	}
	for len(f.free) <= f.leaf {
		f.free = append(f.free, nil)
	}
	for l := range f.leaf + 1 {
		f.free[l] = resize(f.free[l], len(f.tree.Levels[l]))
		clear(f.free[l])
	}
	for n := range int32(len(f.tree.Levels[f.leaf])) {
		if width > 0 && f.room.Usable(n) {
			f.free[f.leaf][n] = max(f.room.Free(n)[f.measured], 0) >> f.scale
		}
	}
	for l := f.leaf; l > 0; l-- {
		for d, dom := range f.tree.Levels[l] {
			f.free[l-1][dom.Parent] += f.free[l][d]
		}
	}
}

// mostDemanded returns the resource of which the gang asks for the largest part of what is free.
func (f *Finder) mostDemanded() int {
	width := f.room.Width()
	f.sums = resize(f.sums, width)
	clear(f.sums)
	for n := range int32(len(f.tree.Levels[f.leaf])) {
		if f.room.Usable(n) {
			for k, q := range f.room.Free(n) {
				f.sums[k] += max(q, 0)
			}
		}
	}
	measured, most := 0, int64(0)
	for k := range width {
		var asked int64
		for i := range f.roles {
			asked += f.roles[i].request.At(k) * int64(f.roles[i].need)
		}
		if asked > 0 && f.sums[k] > 0 && (most == 0 || larger(asked, f.sums[k], most, f.sums[measured])) {
			measured, most = k, asked
		}
	}
	return measured
}

// scaleOf returns by how many bits quantities are shifted of which the pool has so much in all.
func scaleOf(all int64) uint { return uint(max(bits.Len64(uint64(all))-30, 0)) }

// larger tells whether a/b > c/d, for positive b and d.
func larger(a, b, c, d int64) bool {
	h1, l1 := bits.Mul64(uint64(a), uint64(d))
	h2, l2 := bits.Mul64(uint64(c), uint64(b))
	return h1 > h2 || h1 == h2 && l1 > l2
}

// idle returns what a domain has left of the measured capacity, on usable nodes.
func (f *Finder) idle(level int, domain int32) int64 {
	if f.substitute {
		return f.free[level][domain]
	}
	return f.room.Idle(level, domain) >> f.scale
}

// whole tells whether a domain is wholly free; never without accelerators.
func (f *Finder) whole(level int, domain int32) bool {
	return !f.substitute && f.room.Whole(level, domain)
}

// strands returns by how much the stranded accelerators of a node rise when take of them are taken.
func (f *Finder) strands(node int32, take int64) int64 {
	if f.substitute || take == 0 {
		return 0
	}
	idle, total := f.idle(f.leaf, node), f.room.Total(f.leaf, node)>>f.scale
	after := max(idle-take, 0)
	if idle < total {
		return after - idle
	}
	return after
}
