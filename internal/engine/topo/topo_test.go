package topo_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine/topo"
)

func TestATreeStandsInDepthFirstOrder(t *testing.T) {
	places := []topo.Place{
		{Node: "n3", Path: []string{"s1", "r1"}},
		{Node: "n1", Path: []string{"s0", "r1"}},
		{Node: "n2", Path: []string{"s0", "r0"}},
		{Node: "n0", Path: []string{"s0", "r1"}},
		{Node: "lost", Path: []string{"s0", ""}},
	}
	tree, order := topo.NewTree([]string{"spine", "rack"}, places)
	var got []string
	for i, p := range order {
		got = append(got, fmt.Sprint(tree.Path(tree.NodeLevel(), int32(i)), places[p].Node))
	}
	want := []string{
		"[s0 \x00lost lost]lost", "[s0 r0 n2]n2", "[s0 r1 n0]n0", "[s0 r1 n1]n1", "[s1 r1 n3]n3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got := len(tree.Levels[tree.Level("rack")]); got != 4 {
		t.Errorf("%d racks, want 4: rack r1 of s0 and of s1 are two, and a node without a rack is alone", got)
	}
	for _, c := range []struct {
		a, b  int32
		level int
	}{{2, 2, 3}, {2, 3, 2}, {1, 2, 1}, {3, 4, 0}} {
		if got := tree.Common(c.a, c.b); got != c.level {
			t.Errorf("nodes %d and %d have level %d in common, want %d", c.a, c.b, got, c.level)
		}
	}
}

func TestCountsFollowTheRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 12).Draw(t, "nodes")
		places := make([]topo.Place, nodes)
		for i := range places {
			places[i] = topo.Place{Node: fmt.Sprintf("n%02d", i), Path: []string{fmt.Sprintf("r%d", i/3)}}
		}
		tree, _ := topo.NewTree([]string{"rack"}, places)
		room := topo.NewRoom(tree, 2, []int64{1, 0}, func(int32) topo.Vec { return topo.Vec{8, 100} }, func(int32) bool { return true })
		request := topo.Vec{rapid.Int64Range(0, 4).Draw(t, "gpus"), rapid.Int64Range(1, 60).Draw(t, "cpu")}
		match := func(i int32) bool { return i%5 != 4 }
		shape := topo.NewShape(room, request, match)
		for range rapid.IntRange(0, 60).Draw(t, "changes") {
			n := rapid.Int32Range(0, int32(nodes-1)).Draw(t, "node")
			amount := topo.Vec{rapid.Int64Range(0, 9).Draw(t, "amount"), rapid.Int64Range(0, 50).Draw(t, "cpus")}
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				room.SetUsable(n, !room.Usable(n))
			case 1:
				room.Take(n, amount)
			case 2:
				room.Give(n, amount)
			case 3:
				shape.Fit(0, 0) // brings it up to date midway
			}
		}
		fresh := topo.NewShape(room, request, match)
		for l := range tree.Levels {
			if diff := cmp.Diff(fresh.Fits(l), shape.Fits(l)); diff != "" {
				t.Fatalf("counts of level %d (-fresh +kept):\n%s", l, diff)
			}
			if diff := cmp.Diff(fresh.Most(l), shape.Most(l)); diff != "" {
				t.Fatalf("largest counts of level %d (-fresh +kept):\n%s", l, diff)
			}
			for d := range int32(len(tree.Levels[l])) {
				dom := tree.Levels[l][d]
				var idle int64
				for n := dom.FirstNode; n < dom.EndNode; n++ {
					if room.Usable(n) {
						idle += max(room.NodeIdle(n), 0)
					}
				}
				if got := room.Idle(l, d); got != idle {
					t.Fatalf("domain %d of level %d has %d idle, its nodes %d", d, l, got, idle)
				}
			}
		}
	})
}

func TestARoomsLogDoesNotGrowForEver(t *testing.T) {
	tree, _ := topo.NewTree(nil, []topo.Place{{Node: "n0"}})
	room := topo.NewRoom(tree, 1, []int64{1}, func(int32) topo.Vec { return topo.Vec{8} }, func(int32) bool { return true })
	shape := topo.NewShape(room, topo.Vec{1}, func(int32) bool { return true })
	allocs := testing.AllocsPerRun(100_000, func() {
		room.Take(0, topo.Vec{1})
		room.Give(0, topo.Vec{1})
	})
	if allocs > 2 {
		t.Errorf("%v allocations a change, want those of its amounts at most", allocs)
	}
	room.Take(0, topo.Vec{3})
	if got := shape.Fit(0, 0); got != 5 {
		t.Errorf("%d pods fit after many changes, want 5", got)
	}
}
