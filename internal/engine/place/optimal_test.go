package place

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawPool draws a small pool under one to three levels.
func drawPool(t *rapid.T) (*pool, []string) {
	levels := [][]string{{}, {"rack"}, {"spine", "rack"}, {"spine", "rack", "nvlink"}}[rapid.IntRange(0, 3).Draw(t, "depth")]
	accelerated := rapid.IntRange(0, 9).Draw(t, "accelerated") > 0
	uniform := rapid.Bool().Draw(t, "uniform")
	size := rapid.SampledFrom([]int64{2, 4}).Draw(t, "gpus")
	var machines []machine
	for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
		m := machine{name: fmt.Sprintf("n%d", i), cpus: 8, kind: rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "kind")}
		for range levels {
			m.path = append(m.path, rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "domain"))
		}
		if accelerated {
			m.gpus = size
			if !uniform {
				m.gpus = rapid.Int64Range(0, 4).Draw(t, "own")
			}
			m.usedGPU = rapid.Int64Range(0, m.gpus).Draw(t, "used")
			if rapid.Bool().Draw(t, "empty") {
				m.usedGPU = 0
			}
		}
		m.usedCPU = rapid.Int64Range(0, 4).Draw(t, "usedCPU")
		m.unusable = rapid.IntRange(0, 9).Draw(t, "unusable") == 0
		machines = append(machines, m)
	}
	return newPool(levels, machines), levels
}

// drawRequest draws a small gang.
func drawRequest(t *rapid.T, p *pool) *Request {
	r := &Request{Tree: p.tree, Room: p.room}
	leaf := p.tree.NodeLevel()
	pods := 0
	for range rapid.IntRange(1, 3).Draw(t, "roles") {
		count := rapid.IntRange(0, max(0, min(5, 7-pods))).Draw(t, "count")
		pods += count
		role := p.role(count, rapid.Int64Range(0, 2).Draw(t, "gpu"), rapid.Int64Range(0, 3).Draw(t, "cpu"),
			rapid.SampledFrom([]string{"", "", "a"}).Draw(t, "needs"))
		size, level := count, rapid.IntRange(0, leaf).Draw(t, "group level")
		for range rapid.IntRange(0, 3).Draw(t, "groups") {
			if size < 2 {
				break
			}
			var sizes []int
			for s := 1; s <= size; s++ {
				if size%s == 0 {
					sizes = append(sizes, s)
				}
			}
			size = rapid.SampledFrom(sizes).Draw(t, "size")
			role.Groups = append(role.Groups, Group{Size: size, Level: level})
			level = rapid.IntRange(level, leaf).Draw(t, "inner level")
		}
		r.Roles = append(r.Roles, role)
	}
	r.Required = rapid.IntRange(0, leaf).Draw(t, "required")
	r.Preferred = rapid.IntRange(0, leaf).Draw(t, "preferred")
	r.Pack = rapid.Bool().Draw(t, "pack")
	return r
}

// countsOf puts a slot into the oracle's form.
func countsOf(p *pool, s Slot) [][]int {
	var out [][]int
	for _, nodes := range s.Roles {
		counts := make([]int, len(p.machines))
		for _, n := range nodes {
			counts[n.Node] += n.Count
		}
		out = append(out, counts)
	}
	return out
}

func TestTheSlotIsTheBestOfAllByEveryWord(t *testing.T) {
	var f Finder
	rapid.Check(t, func(t *rapid.T) {
		p, _ := drawPool(t)
		r := drawRequest(t, p)
		want := solve(p, r)
		got, ok, bounded := f.Find(r)
		if bounded {
			t.Fatal("a small search was bounded")
		}
		if fits, bounded := f.Fits(r); fits != (want != nil) || bounded {
			t.Fatalf("Fits says %v, bounded %v; a slot exists: %v", fits, bounded, want != nil)
		}
		if ok != (want != nil) {
			t.Fatalf("found: %v; a slot exists: %v", ok, want != nil)
		}
		if !ok {
			return
		}
		if diff := cmp.Diff(want.counts, countsOf(p, got)); diff != "" {
			o := &oracle{p: p, r: r, counts: countsOf(p, got)}
			t.Fatalf("not the best slot (-want +got):\n%s\nwords of the best %v\nand of this one %v", diff, want.words, o.words())
		}
	})
}
