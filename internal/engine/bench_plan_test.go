package engine_test

import (
	"fmt"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

// BenchmarkPreempt is one preempting decision for a gang of 200 pods, each half a node, in a full pool whose nodes have
// 30 resources, all of which the pods ask for.
func BenchmarkPreempt(b *testing.B) {
	for _, nodes := range []int{250, 1000, 4000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			s := manyResources(nodes)
			now := 2 * hour
			s.Decide(now)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				g := gang("a", "high", engine.Production, 200, 4)
				g.Roles[0].Pod.Requests = half()
				now++
				g.Queued = now
				b.StartTimer()
				s.SetGang(g)
				decisions := s.Decide(now)
				b.StopTimer()
				if len(decisions) < 201 {
					b.Fatalf("%d decisions, want a plan and 200 victims", len(decisions))
				}
				undo(s, decisions, nodes)
				s.RemoveGang(g.ID)
				s.Decide(now)
				b.StartTimer()
			}
		})
	}
}

// half is what a pod of half a node asks for.
func half() engine.Amounts {
	a := engine.Amounts{gpu: 4, "pods": 1}
	for k := range 28 {
		a[fmt.Sprintf("example.com/r%02d", k)] = 50
	}
	return a
}

// manyResources returns a pool of nodes with 30 resources, each full with two gangs of one pod.
func manyResources(nodes int) *engine.State {
	s := engine.New(engine.DefaultConfig())
	s.SetPool(engine.Pool{
		Name: "h100", Accelerators: []engine.Accelerator{{Resource: gpu, Weight: 1}},
		Levels: []engine.Level{{Name: "rack", Label: "rack"}},
	})
	addTeam(s, "a", int64(nodes)*8)
	for i := range nodes {
		alloc := engine.Amounts{gpu: 8, "pods": 110}
		for k := range 28 {
			alloc[fmt.Sprintf("example.com/r%02d", k)] = 100
		}
		s.SetNode(engine.Node{
			Name: fmt.Sprintf("n%05d", i), Labels: map[string]string{"rack": fmt.Sprintf("r%04d", i/16)}, Ready: true, Allocatable: alloc,
		})
		for k := range 2 {
			s.SetGang(low(i, k))
		}
	}
	return s
}

// low is the k-th gang on the i-th node.
func low(i, k int) engine.Gang {
	g := gang("a", fmt.Sprintf("low-%05d-%d", i, k), engine.Batch, 1, 4)
	g.Roles[0].Pod.Requests = half()
	g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Started: engine.Time(1 + i*7919%1000), Slot: engine.Slot{
		Pool: "h100", Level: "node", Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{fmt.Sprintf("n%05d", i)}}},
	}}
	return g
}

// undo lets the victims stay.
func undo(s *engine.State, decisions []engine.Decision, nodes int) {
	for _, d := range decisions {
		if d.Kind != engine.Evict {
			continue
		}
		var i, k int
		if _, err := fmt.Sscanf(d.Gang, "a/low-%05d-%d", &i, &k); err == nil && i < nodes {
			s.SetGang(low(i, k))
		}
	}
}
