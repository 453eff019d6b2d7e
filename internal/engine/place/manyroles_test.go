package place

import (
	"testing"

	"github.com/berth-dev/berth/internal/engine/topo"
)

func TestGangsOfManyRolesArePlacedThoughTheirTablesWouldBeTooLarge(t *testing.T) {
	p := newPool([]string{"rack"}, racks(8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8))
	var roles []Role
	for range 16 {
		roles = append(roles, p.role(7, 1, 0, ""))
	}
	var f Finder
	r := p.request(roles...)
	s, ok, bounded := f.Find(r)
	if !ok || bounded {
		t.Fatalf("found: %v, bounded: %v, though all nodes are free", ok, bounded)
	}
	if o := (&oracle{p: p, r: r, counts: countsOf(p, s)}); !o.complete() {
		t.Error("not all pods are placed")
	}
	for i := range roles {
		roles[i].Count = 9
	}
	if _, ok, bounded := f.Find(p.request(roles...)); ok || bounded {
		t.Errorf("found: %v, bounded: %v, though 144 pods do not fit on 128 GPUs", ok, bounded)
	}
	if ok, bounded := f.Fits(p.request(roles...)); ok || bounded {
		t.Errorf("fits: %v, bounded: %v, though 144 pods do not fit on 128 GPUs", ok, bounded)
	}
}

func TestASearchThatGreedDoesNotSettleIsBounded(t *testing.T) {
	// Greed puts the fives and the threes where sixes and twos are needed; there are too many roles for more.
	p := newPool([]string{"rack"}, racks(2, 8, 8))
	roles := []Role{p.role(1, 5, 0, ""), p.role(1, 4, 0, ""), p.role(1, 3, 0, ""), p.role(2, 2, 0, "")}
	for range 14 {
		roles = append(roles, p.role(7, 0, 0, ""))
	}
	var f Finder
	if _, ok, bounded := f.Find(p.request(roles...)); !ok && !bounded {
		t.Error("no slot and no bound, though 5+3 and 4+2+2 fit")
	}
	if ok, bounded := f.Fits(p.request(roles...)); !ok && !bounded {
		t.Error("does not fit and no bound, though 5+3 and 4+2+2 fit")
	}
}

func TestAPoolWithoutAcceleratorsIsMeasuredInWhatTheGangTakesMostOf(t *testing.T) {
	// Node a is tighter in the first resource, node b in the second.
	capacity := []topo.Vec{{40, 1 << 40}, {100, 1 << 39}}
	tree, _ := topo.NewTree(nil, []topo.Place{{Node: "a"}, {Node: "b"}})
	room := topo.NewRoom(tree, 2, nil, func(n int32) topo.Vec { return capacity[n] }, func(int32) bool { return true })
	all := func(int32) bool { return true }
	for name, tc := range map[string]struct {
		request topo.Vec
		want    int32
	}{
		"mostly of the first":  {topo.Vec{30, 1}, 0},
		"mostly of the second": {topo.Vec{1, 1 << 38}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var f Finder
			r := &Request{Tree: tree, Room: room, Roles: []Role{{Shape: topo.NewShape(room, tc.request, all), Count: 1}}}
			if s, ok, _ := f.Find(r); !ok || s.Roles[0][0].Node != tc.want {
				t.Errorf("found %v: %v instead of node %d", ok, s.Roles, tc.want)
			}
		})
	}
}
