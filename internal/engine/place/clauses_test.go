package place

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// levels of a pool with racks only.
const (
	rackLevel = 1
	nodeLevel = 2
)

func TestEveryClauseOfThePlacementRule(t *testing.T) {
	rack := []string{"rack"}
	type gang func(p *pool) *Request
	ask := func(count int, gpus int64, groups ...Group) gang {
		return func(p *pool) *Request { return p.request(p.role(count, gpus, 0, "", groups...)) }
	}
	pack := func(of gang) gang {
		return func(p *pool) *Request { r := of(p); r.Pack = true; return r }
	}
	required := func(level int, of gang) gang {
		return func(p *pool) *Request { r := of(p); r.Required = level; return r }
	}
	preferred := func(level int, of gang) gang {
		return func(p *pool) *Request { r := of(p); r.Preferred = level; return r }
	}
	for name, tc := range map[string]struct {
		levels   []string
		machines []machine
		ask      gang
		want     [][]string
	}{
		"the lowest common level comes first: one node before two of a rack": {
			rack, racks(2, 1, 1, 8, 0), ask(2, 1), [][]string{{"n02", "n02"}},
		},
		"a rack comes before two racks that are fuller": {
			rack, racks(2, 1, 0, 1, 0, 8, 8), ask(12, 1),
			[][]string{{"n04", "n04", "n04", "n04", "n04", "n04", "n04", "n04", "n05", "n05", "n05", "n05"}},
		},
		"fewest nodes inside the rack": {
			rack, racks(4, 1, 1, 3, 2), ask(5, 1), [][]string{{"n02", "n02", "n02", "n03", "n03"}},
		},
		"fewest racks before fewest nodes": {
			rack, racks(3, 2, 2, 0, 4, 0, 0, 1, 1, 1), ask(7, 1),
			[][]string{{"n00", "n00", "n01", "n01", "n03", "n03", "n03"}},
		},
		"least capacity left over in the rack, before that on the nodes": {
			rack, racks(2, 8, 8, 5, 5), ask(8, 1),
			[][]string{{"n00", "n00", "n00", "n00", "n00", "n00", "n00", "n00"}},
		},
		"the tighter rack": {
			rack, racks(2, 8, 7, 7, 6), ask(9, 1),
			[][]string{{"n02", "n02", "n02", "n02", "n02", "n02", "n02", "n03", "n03"}},
		},
		"the tighter node": {
			rack, racks(2, 8, 4, 3, 5), ask(3, 1), [][]string{{"n02", "n02", "n02"}},
		},
		"a wholly free node is not broken where the same number is free beside it": {
			rack, []machine{
				{path: []string{"r0"}, name: "n00", gpus: 4, cpus: 96},
				{path: []string{"r0"}, name: "n01", gpus: 8, cpus: 96, usedGPU: 4},
			}, ask(2, 1), [][]string{{"n01", "n01"}},
		},
		"a wholly free rack is not broken where a node like it stands in another": {
			rack, racks(2, 8, 8, 8, 0), ask(8, 1),
			[][]string{{"n02", "n02", "n02", "n02", "n02", "n02", "n02", "n02"}},
		},
		"the least rise of stranded accelerators: nodes already broken take more": {
			rack,
			[]machine{
				{path: []string{"r0"}, name: "n00", gpus: 8},
				{path: []string{"r0"}, name: "n01", gpus: 8, usedGPU: 4},
				{path: []string{"r1"}, name: "n02", gpus: 4},
				{path: []string{"r1"}, name: "n03", gpus: 16, usedGPU: 8},
			},
			ask(12, 1),
			[][]string{{"n02", "n02", "n02", "n02", "n03", "n03", "n03", "n03", "n03", "n03", "n03", "n03"}},
		},
		"a pod that takes no accelerator breaks nothing": {
			rack, []machine{
				{path: []string{"r0"}, name: "n00", gpus: 4}, {path: []string{"r0"}, name: "n01", gpus: 8, usedGPU: 4},
			}, ask(1, 0), [][]string{{"n00"}},
		},
		"equal slots are told apart by name": {
			rack, racks(2, 8, 0, 8, 0), ask(2, 1), [][]string{{"n00", "n00"}},
		},
		"of equal nodes the first takes more": {
			rack, racks(4, 4, 4, 4, 4), ask(5, 1), [][]string{{"n00", "n00", "n00", "n00", "n01"}},
		},
		"a required rack is not left": {
			rack, racks(2, 8, 1, 8, 1), required(rackLevel, ask(10, 1)), nil,
		},
		"without a requirement the pool will do": {
			rack, racks(2, 8, 1, 8, 1), ask(10, 1),
			[][]string{{"n00", "n00", "n00", "n00", "n00", "n00", "n00", "n00", "n02", "n02"}},
		},
		"a preferred rack is left where none has room": {
			rack, racks(2, 8, 1, 8, 1), preferred(rackLevel, ask(10, 1)),
			[][]string{{"n00", "n00", "n00", "n00", "n00", "n00", "n00", "n00", "n02", "n02"}},
		},
		"groups of node size stay on a node": {
			rack, racks(4, 3, 3, 3), ask(4, 1, Group{2, nodeLevel}), [][]string{{"n00", "n00", "n01", "n01"}},
		},
		"groups of three levels": {
			[]string{"spine", "rack"}, []machine{
				{path: []string{"s0", "a"}, name: "n0", gpus: 4},
				{path: []string{"s0", "a"}, name: "n1", gpus: 4, usedGPU: 1},
				{path: []string{"s0", "b"}, name: "n2", gpus: 4, usedGPU: 2},
				{path: []string{"s1", "c"}, name: "n3", gpus: 4},
				{path: []string{"s1", "c"}, name: "n4", gpus: 4},
			}, ask(16, 1, Group{8, 1}, Group{4, 2}, Group{2, 3}), nil,
		},
		"groups of three levels that find room": {
			[]string{"spine", "rack"}, []machine{
				{path: []string{"s0", "a"}, name: "n0", gpus: 4},
				{path: []string{"s0", "a"}, name: "n1", gpus: 4, usedGPU: 1},
				{path: []string{"s0", "b"}, name: "n2", gpus: 4},
				{path: []string{"s1", "c"}, name: "n3", gpus: 4},
				{path: []string{"s1", "c"}, name: "n4", gpus: 4},
			}, ask(16, 1, Group{8, 1}, Group{4, 2}, Group{2, 3}), [][]string{{
				"n0", "n0", "n0", "n0", "n2", "n2", "n2", "n2", "n3", "n3", "n3", "n3", "n4", "n4", "n4", "n4",
			}},
		},
		"pack fills the small holes and leaves the large one": {
			rack, racks(4, 2, 1, 1), pack(ask(2, 1)), [][]string{{"n01", "n02"}},
		},
		"locality takes the node that has both": {
			rack, racks(4, 2, 1, 1), ask(2, 1), [][]string{{"n00", "n00"}},
		},
		"pack counts the holes of racks after those of nodes": {
			rack, racks(2, 4, 4, 4, 1), pack(ask(4, 1)), [][]string{{"n02", "n02", "n02", "n02"}},
		},
		"pack keeps to the preferred rack": {
			rack, racks(2, 4, 4, 1, 1, 1, 0), pack(preferred(rackLevel, ask(3, 1))), [][]string{{"n00", "n00", "n00"}},
		},
		"pack looks through the whole pool otherwise": {
			rack, racks(2, 4, 4, 1, 1, 1, 0), pack(ask(3, 1)), [][]string{{"n02", "n03", "n04"}},
		},
		"no pods need no node": {
			rack, racks(2, 8), ask(0, 1), [][]string{nil},
		},
		"a group that does not divide its role has no slot": {
			rack, racks(2, 8, 8), ask(3, 1, Group{2, nodeLevel}), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(tc.levels, tc.machines)
			r := tc.ask(p)
			var f Finder
			s, ok, bounded := f.Find(r)
			if ok != (tc.want != nil) || bounded {
				t.Fatalf("found %v, bounded %v", ok, bounded)
			}
			if !ok {
				return
			}
			if diff := cmp.Diff(tc.want, p.names(r, s)); diff != "" {
				t.Errorf("ranks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGroupsArePackedJointly(t *testing.T) {
	p := newPool([]string{"rack"}, racks(5, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8))
	r := p.request(p.role(4, 8, 0, "", Group{2, rackLevel}), p.role(6, 8, 0, "", Group{3, rackLevel}))
	var f Finder
	s, ok, _ := f.Find(r)
	if !ok {
		t.Fatal("no slot, though two groups of 2 and two of 3 nodes fit into two racks of five as 2+3 and 2+3")
	}
	want := [][]string{{"n00", "n01", "n05", "n06"}, {"n02", "n03", "n04", "n07", "n08", "n09"}}
	if diff := cmp.Diff(want, p.names(r, s)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
}

func TestALauncherGoesBesideItsWorkers(t *testing.T) {
	p := newPool([]string{"rack"}, racks(5, 8, 8, 1, 8, 8, 0, 0, 8, 8, 8))
	r := p.request(p.role(1, 1, 0, ""), p.role(4, 8, 0, ""))
	r.Required = rackLevel
	var f Finder
	s, ok, _ := f.Find(r)
	if !ok {
		t.Fatal("no slot, though n02 has room for the launcher")
	}
	if diff := cmp.Diff([][]string{{"n02"}, {"n00", "n01", "n03", "n04"}}, p.names(r, s)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
	if s.Level != rackLevel || s.Domain != 0 {
		t.Errorf("common domain is %d of level %d", s.Domain, s.Level)
	}
}

func TestRanksFollowTheTree(t *testing.T) {
	p := newPool([]string{"rack"}, []machine{
		{path: []string{"r0"}, name: "n0", gpus: 8},
		{path: []string{"r1"}, name: "n1", gpus: 8},
		{path: []string{"r0"}, name: "n2", gpus: 8},
		{path: []string{"r1"}, name: "n3", gpus: 8},
	})
	r := p.request(p.role(4, 8, 0, ""))
	var f Finder
	s, _, _ := f.Find(r)
	if diff := cmp.Diff([][]string{{"n0", "n2", "n1", "n3"}}, p.names(r, s)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
}

func TestPodsGoOnlyWhereTheyMayAndWhereThereIsRoom(t *testing.T) {
	machines := racks(4, 8, 8, 8, 8)
	machines[0].unusable = true
	machines[1].kind = "other"
	machines[2].usedCPU = 95
	machines[3].kind = "ours"
	p := newPool([]string{"rack"}, machines)
	var f Finder
	for name, tc := range map[string]struct {
		role Role
		want [][]string
	}{
		"an unusable node takes nothing":                     {p.role(1, 8, 0, ""), [][]string{{"n01"}}},
		"a role goes to the nodes that match":                {p.role(1, 1, 0, "ours"), [][]string{{"n03"}}},
		"every resource counts":                              {p.role(2, 8, 2, ""), [][]string{{"n01", "n03"}}},
		"more than the matching nodes hold is not found":     {p.role(9, 1, 0, "ours"), nil},
		"a role that nothing matches is not found":           {p.role(1, 0, 0, "nowhere"), nil},
		"a pod that asks for nothing still needs a node":     {p.role(1, 0, 0, "other"), [][]string{{"n01"}}},
		"a pod larger than every node is not found":          {p.role(1, 9, 0, ""), nil},
		"a group larger than every node is not found either": {p.role(16, 1, 0, "", Group{16, nodeLevel}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := p.request(tc.role)
			s, ok, _ := f.Find(r)
			if ok != (tc.want != nil) {
				t.Fatalf("found: %v", ok)
			}
			if ok && cmp.Diff(tc.want, p.names(r, s)) != "" {
				t.Errorf("ranks are %v instead of %v", p.names(r, s), tc.want)
			}
		})
	}
}
