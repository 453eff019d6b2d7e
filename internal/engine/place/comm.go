package place

import (
	"math"
	"math/bits"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// Link is what two pods have between them whose lowest common domain is of the link's level.
type Link struct {
	// Bandwidth is in bytes per second; 0: not known, transfers take no time.
	Bandwidth int64
	// Latency is in nanoseconds.
	Latency int64
}

// Pattern says which ranks communicate.
type Pattern int8

// The communication patterns.
const (
	// Ring: ranks i and i+1, and the last with the first.
	Ring Pattern = iota
	// AllToAll: all pairs.
	AllToAll
)

// Estimate returns T_comm in nanoseconds: the largest latency plus transfer time of bytes over the pairs of ranks that
// communicate. links has one link a level, from the pool to the node; ranks has the node of every rank, the roles one
// after the other.
func Estimate(tree *topo.Tree, links []Link, bytes int64, pattern Pattern, ranks []int32) int64 {
	if pattern == AllToAll {
		// Among ranks in depth-first order, every level that some pair has in common is that of some neighbours.
		ranks = slices.Sorted(slices.Values(ranks))
	}
	var longest int64
	for i := 1; i < len(ranks); i++ {
		longest = max(longest, links[tree.Common(ranks[i-1], ranks[i])].time(bytes))
	}
	if pattern == Ring && len(ranks) > 2 {
		longest = max(longest, links[tree.Common(ranks[0], ranks[len(ranks)-1])].time(bytes))
	}
	return longest
}

// BestPossible returns the least T_comm in nanoseconds that a gang can have in the request's room, which is that of the
// empty pool, and whether it fits there at all. It is that of the slot with the lowest common level, which is the best
// one where inner links are no slower than outer ones.
func (f *Finder) BestPossible(r *Request, links []Link, bytes int64, pattern Pattern) (int64, bool) {
	local := *r
	local.Pack = false
	slot, ok, _ := f.Find(&local)
	if !ok {
		return 0, false
	}
	return Estimate(r.Tree, links, bytes, pattern, slices.Concat(Ranks(r, slot)...)), true
}

// time returns the latency plus the transfer time of bytes, rounded up, in nanoseconds.
func (l Link) time(bytes int64) int64 {
	if l.Bandwidth <= 0 || bytes <= 0 {
		return l.Latency
	}
	high, low := bits.Mul64(uint64(bytes), 1e9)
	if high >= uint64(l.Bandwidth) {
		return math.MaxInt64
	}
	q, rest := bits.Div64(high, low, uint64(l.Bandwidth))
	if rest > 0 {
		q++
	}
	if q > uint64(math.MaxInt64-l.Latency) {
		return math.MaxInt64
	}
	return int64(q) + l.Latency
}
