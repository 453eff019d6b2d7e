package place

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The model of T_comm that the search is held against:
//
//   - Pairs: in a Ring the ranks i and i+1, and the last with the first; in AllToAll all pairs of ranks.
//   - Order: the roles one after the other in the order of the request, in each the nodes in depth-first order, the pods
//     of a node one after the other.
//   - g per node: as drawn with the pool, 0 to 4 accelerators; a pod takes 0 to 2.
//   - A pair costs latency plus bytes over bandwidth of the link of its lowest common level; inner links are at least as
//     fast as outer ones in both. The slot costs as much as its dearest pair.
//   - The best is the least over all slots that are feasible under P8 for the request: every set of pods on every node.

// drawLinks draws a link for each level, none slower than those further out.
func drawLinks(t *rapid.T, levels int) []Link {
	links := make([]Link, levels)
	bandwidth, latency := int64(1e9), int64(100_000)
	for l := range links {
		bandwidth *= rapid.Int64Range(1, 10).Draw(t, "faster")
		latency /= rapid.Int64Range(1, 5).Draw(t, "nearer")
		links[l] = Link{Bandwidth: bandwidth, Latency: latency}
	}
	return links
}

// pairwise is T_comm by its definition.
func pairwise(p *pool, links []Link, bytes int64, pattern Pattern, ranks []int32) int64 {
	var longest int64
	for i := range ranks {
		for k := range i {
			if pattern == AllToAll || i == k+1 || (k == 0 && i == len(ranks)-1) {
				link := links[p.tree.Common(ranks[i], ranks[k])]
				longest = max(longest, link.Latency+(bytes*1e9+link.Bandwidth-1)/link.Bandwidth)
			}
		}
	}
	return longest
}

// ranksOf puts the oracle's counts into ranks, all roles in order.
func ranksOf(counts [][]int) []int32 {
	var out []int32
	for _, role := range counts {
		for n, c := range role {
			for range c {
				out = append(out, int32(n))
			}
		}
	}
	return out
}

func TestCommunicationIsWithinFivePercentOfTheBestOnAverageAndNeverAboveOneAndAHalf(t *testing.T) {
	var f Finder
	var ratios float64
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		p, _ := drawPool(t)
		r := drawRequest(t, p)
		r.Pack = false
		links := drawLinks(t, len(p.tree.Levels))
		bytes := rapid.Int64Range(0, 1<<30).Draw(t, "bytes")
		pattern := rapid.SampledFrom([]Pattern{Ring, AllToAll}).Draw(t, "pattern")
		slot, ok, _ := f.Find(r)
		if !ok {
			return
		}
		got := Estimate(p.tree, links, bytes, pattern, slices.Concat(Ranks(r, slot)...))
		best := int64(-1)
		o := &oracle{p: p, r: r, each: func(counts [][]int) {
			if c := pairwise(p, links, bytes, pattern, ranksOf(counts)); best < 0 || c < best {
				best = c
			}
		}}
		o.run()
		if got*2 > best*3 {
			t.Fatalf("T_comm is %d ns, the best is %d ns", got, best)
		}
		if best > 0 {
			ratios += float64(got) / float64(best)
			cases++
		}
	})
	if cases == 0 || ratios/float64(cases) > 1.05 {
		t.Errorf("over %d cases T_comm is %v times the best on average", cases, ratios/float64(cases))
	}
}

func TestTheEstimateIsTheLongestOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := drawPool(t)
		links := drawLinks(t, len(p.tree.Levels))
		bytes := rapid.Int64Range(0, 1<<30).Draw(t, "bytes")
		ranks := rapid.SliceOfN(rapid.Int32Range(0, int32(len(p.machines)-1)), 0, 8).Draw(t, "ranks")
		for _, pattern := range []Pattern{Ring, AllToAll} {
			if got, want := Estimate(p.tree, links, bytes, pattern, ranks), pairwise(p, links, bytes, pattern, ranks); got != want {
				t.Fatalf("pattern %d: %d ns instead of %d", pattern, got, want)
			}
		}
	})
}

func TestTheTimeOfALink(t *testing.T) {
	for name, tc := range map[string]struct {
		link  Link
		bytes int64
		want  int64
	}{
		"latency and transfer add up":            {Link{Bandwidth: 1e9, Latency: 500}, 2e9, 2e9 + 500},
		"a part of a nanosecond counts as one":   {Link{Bandwidth: 3e9}, 1, 1},
		"an unknown bandwidth costs nothing":     {Link{Latency: 500}, 1 << 40, 500},
		"what never arrives takes the longest":   {Link{Bandwidth: 1}, 1 << 62, 1<<63 - 1},
		"an overflow by the latency is no error": {Link{Bandwidth: 1, Latency: 1 << 62}, 9e9, 1<<63 - 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.link.time(tc.bytes); got != tc.want {
				t.Errorf("%d ns instead of %d", got, tc.want)
			}
		})
	}
}

func TestTheBestPossibleIsWhatTheEmptyPoolAllows(t *testing.T) {
	links := []Link{{Bandwidth: 1e9}, {Bandwidth: 2e9}, {Bandwidth: 8e9}}
	p := newPool([]string{"rack"}, racks(2, 8, 8, 8, 8))
	var f Finder
	for name, tc := range map[string]struct {
		pods int
		want int64
		ok   bool
	}{
		"one pod talks to nobody":            {1, 0, true},
		"eight pods share a node":            {8, 1e9, true},
		"sixteen pods share a rack":          {16, 4e9, true},
		"seventeen pods cross between racks": {17, 8e9, true},
		"more than the pool has":             {33, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := f.BestPossible(p.request(p.role(tc.pods, 1, 0, "")), links, 8e9, Ring)
			if got != tc.want || ok != tc.ok {
				t.Errorf("%d ns (%v) instead of %d (%v)", got, ok, tc.want, tc.ok)
			}
		})
	}
}
