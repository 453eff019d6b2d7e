package place

import (
	"math/bits"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// role is a role of the request, counted in units: the pods that its innermost groups keep on one node.
type role struct {
	// fits and most are the shape's counts of pods, per level and domain.
	fits, most [][]int32
	// need is how many units there are, unit how many pods each has.
	need, unit int32
	// step has, per level, the number of units of which a domain's count is a multiple.
	step []int32
	// grouped is true when some step, or the unit, is above 1.
	grouped bool
	// request is what one unit asks for, take its accelerators (or what is measured in their place).
	request topo.Vec
	take    int64
	// cap has how many units fit, per level and domain. For roles without groups these are the shape's own counts; for
	// others they are computed, into own, for the domains that are looked at.
	cap, own [][]int32
	// shift and mask find the role's count in a key, stride its weight in an index.
	shift  uint
	mask   uint64
	stride int
}

// count returns the role's units in key.
func (r *role) count(key uint64) int32 { return int32(key >> r.shift & r.mask) }

// maxTable bounds the entries that a table may have; larger gangs of several roles are placed greedily.
const maxTable = 1 << 20

// setup takes the request apart. It returns false when no slot can exist, whatever the room.
func (f *Finder) setup(r *Request) bool {
	f.req, f.tree, f.room, f.leaf = r, r.Tree, r.Room, r.Tree.NodeLevel()
	f.steps, f.limit, f.over, f.best.ok = 0, maxSteps, false, false
	if r.Budget > 0 {
		f.limit = min(f.limit, r.Budget*64)
	}
	for len(f.roles) < len(r.Roles) {
		f.roles = append(f.roles, role{})
	}
	f.roles = f.roles[:len(r.Roles)]
	f.pods = 0
	for i := range r.Roles {
		if !f.setupRole(&f.roles[i], &r.Roles[i]) {
			return false
		}
	}
	f.setupKeys()
	f.oneKind = false
	return true
}

func (f *Finder) setupRole(to *role, from *Role) bool {
	to.unit, to.grouped = 1, false
	levels := f.leaf + 1
	to.step = to.step[:0]
	for range levels {
		to.step = append(to.step, 1)
	}
	// The count of a domain is a sum over deeper domains, so it inherits their steps.
	for l := f.leaf; l >= 0; l-- {
		if l < f.leaf {
			to.step[l] = to.step[l+1]
		}
		for _, g := range from.Groups {
			if g.Level == l && g.Size > 1 {
				to.step[l] = lcm(to.step[l], int32(g.Size))
			}
		}
	}
	count := max(from.Count, 0)
	if to.step[0] > 1 {
		to.grouped = true
		if count%int(to.step[0]) != 0 {
			return false
		}
		to.unit = to.step[f.leaf]
		for l := range to.step {
			to.step[l] /= to.unit
		}
	}
	to.need = int32(count / int(to.unit))
	f.pods += int64(to.need)
	to.request = to.request[:0]
	for _, q := range from.Shape.Request {
		to.request = append(to.request, q*int64(to.unit))
	}
	for len(to.own) < levels {
		to.own = append(to.own, nil)
	}
	to.fits, to.most, to.cap = to.fits[:0], to.most[:0], to.cap[:0]
	for l := range levels {
		to.fits, to.most = append(to.fits, from.Shape.Fits(l)), append(to.most, from.Shape.Most(l))
		if to.grouped {
			to.own[l] = resize(to.own[l], len(to.fits[l]))
			to.cap = append(to.cap, to.own[l])
		} else {
			to.cap = append(to.cap, to.fits[l])
		}
	}
	return true
}

// setupKeys lays the counts of all roles into one word, the first role highest, each with a guard bit above it, so that
// adding two keys and comparing with the need of every role takes one addition and one subtraction. The index of an
// entry numbers all keys densely.
func (f *Finder) setupKeys() {
	f.full, f.guards, f.size = 0, 0, 1
	var at uint
	for i := len(f.roles) - 1; i >= 0; i-- {
		r := &f.roles[i]
		width := uint(bits.Len32(uint32(r.need)))
		r.shift, r.mask, r.stride = at, 1<<width-1, f.size
		if at+width+1 > 64 || f.size > maxTable || (len(f.roles) > 1 && f.size*(int(r.need)+1) > maxTable) {
			f.size = maxTable + 1
			return
		}
		f.full |= uint64(r.need) << at
		f.guards |= 1 << (at + width)
		f.size *= int(r.need) + 1
		at += width + 1
	}
}

// tooLarge tells whether the tables for all roles together would be too large to be made.
func (f *Finder) tooLarge() bool { return len(f.roles) > 1 && f.size > maxTable }

// index numbers a key densely.
func (f *Finder) index(key uint64) int {
	if len(f.roles) == 1 {
		return int(key)
	}
	n := 0
	for i := range f.roles {
		n += int(f.roles[i].count(key)) * f.roles[i].stride
	}
	return n
}

// take returns what is taken of the measured capacity by the units in key.
func (f *Finder) take(key uint64) int64 {
	var sum int64
	for i := range f.roles {
		sum += int64(f.roles[i].count(key)) * f.roles[i].take
	}
	return sum
}

func lcm(a, b int32) int32 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// resize returns s with length n; what it holds is undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
