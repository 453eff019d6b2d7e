package place

import "github.com/berth-dev/berth/internal/engine/topo"

// Finder searches slots. It keeps its buffers from one search to the next, and nothing else; it must not be used by two
// goroutines at once. The zero value is ready.
type Finder struct {
	req  *Request
	tree *topo.Tree
	room *topo.Room
	leaf int

	roles []role
	// pods is how many units all roles have, total what they take of the measured capacity.
	pods, total int64
	// full is the key of the whole gang, guards the bits that tell a key beyond it; size is how many keys there are.
	full, guards uint64
	size         int
	// oneKind is true when what is idle bounds what can be taken.
	oneKind bool

	// substitute is true in a pool without accelerators, where the resource measured, shifted by scale, stands in for
	// them; free has what is free of it, per level and domain.
	substitute bool
	measured   int
	scale      uint
	sums       []int64
	free       [][]int64

	lay layout
	arena
	benches []bench
	// slots has, by index, the position of a set in the row under construction, from 1.
	slots []int32
	rest  []int64
	// steps counts combinations up to limit; over tells that the limit was passed.
	steps, limit int
	over         bool

	// thorough leaves out every shortcut, so that tests can tell that none changes the outcome.
	thorough bool

	cands candidates
	ceil  ceiling
	taken [][]taking
	best  found
	got   []got
	// trial, twin and base have words under comparison.
	trial, twin, base []int64
	// asked is what the whole gang asks for.
	asked []int64
	// bestIdle and bestTotal are the capacity of the best single node so far.
	bestIdle, bestTotal int64
	// spare is the room that a greedy placement has left, counts what fits there, per level and domain.
	spare  []int64
	counts [][]int32
	order  []int
	// inside and within serve FitsIn.
	inside Request
	within Domain
}

// got is what one node takes.
type got struct {
	node int32
	key  uint64
}

// Find returns the best slot by P8 and whether there is one. bounded tells that none was found, but that not all
// possibilities were looked at.
func (f *Finder) Find(r *Request) (slot Slot, ok, bounded bool) {
	if !f.setup(r) {
		return Slot{}, false, false
	}
	if f.pods == 0 {
		return f.slot(), true, false
	}
	root := f.root()
	if !f.anyIn(root) {
		return Slot{}, false, false
	}
	f.setupMeasure()
	// Locality goes from the node outwards, which passes the preferred level by itself. Pack looks at once as far as it
	// may, or as far as the preferred level, and then climbs.
	from := f.leaf
	if r.Pack {
		from = max(root, r.Preferred)
	}
	for level := from; level >= root; level-- {
		if f.search(level) {
			return f.slot(), true, false
		}
	}
	return Slot{}, false, f.over
}

// Fits tells whether there is a slot at all; see [Finder.Find] for bounded.
func (f *Finder) Fits(r *Request) (ok, bounded bool) {
	if !f.setup(r) {
		return false, false
	}
	if f.pods == 0 {
		return true, false
	}
	if len(f.roles) > 1 {
		f.setupMeasure()
	}
	return f.feasible(f.root())
}

// FitsIn tells whether there is a slot inside one domain.
func (f *Finder) FitsIn(r *Request, level int, domain int32) (ok, bounded bool) {
	f.inside = *r
	f.within = Domain{Level: level, Index: domain}
	f.inside.Within = &f.within
	return f.Fits(&f.inside)
}

// root returns the outermost level at which a domain may hold the gang.
func (f *Finder) root() int {
	if w := f.req.Within; w != nil {
		return max(f.req.Required, w.Level)
	}
	return f.req.Required
}
