package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

// bigPool returns a state with nodes of eight accelerators, 16 to a rack and 16 racks to a spine.
func bigPool(nodes int) *engine.State {
	s := engine.New(engine.DefaultConfig())
	s.SetPool(engine.Pool{
		Name: "h100", Accelerators: []engine.Accelerator{{Resource: gpu, Weight: 1}},
		Levels: []engine.Level{{Name: "spine", Label: "spine"}, {Name: "rack", Label: "rack"}},
	})
	for i := range nodes {
		s.SetNode(engine.Node{
			Name:   fmt.Sprintf("n%05d", i),
			Labels: map[string]string{"rack": fmt.Sprintf("r%04d", i/16), "spine": fmt.Sprintf("s%03d", i/256)},
			Ready:  true, Allocatable: engine.Amounts{gpu: 8, "cpu": 96_000, "pods": 110},
		})
	}
	return s
}

func addTeam(s *engine.State, name string, guaranteed int64) {
	s.SetTeam(engine.Team{Name: name, Weight: 1})
	s.SetQuota(engine.Quota{Team: name, Entries: []engine.Entitlement{
		{Pool: "h100", Resource: gpu, Guaranteed: 1000 * guaranteed, Limit: engine.Unlimited, Lendable: engine.Unlimited},
	}})
}

// fragment fills a share of the pool, in percent, with foreign pods of 1 to 8 accelerators.
func fragment(s *engine.State, rng *rand.Rand, nodes, percent int) {
	for i := range nodes {
		left := int64(8)
		for k := 0; left > 0; k++ {
			q := 1 + rng.Int64N(8)
			if q > left || rng.IntN(100) >= percent {
				left -= min(q, left)
				continue
			}
			s.SetForeign(engine.Foreign{Name: fmt.Sprintf("f%d-%d", i, k), Node: fmt.Sprintf("n%05d", i), Requests: engine.Amounts{gpu: q, "pods": 1}})
			left -= q
		}
	}
}

// BenchmarkDecision is one gang's way from its submission to the answer, in a pool at 85 % occupancy by random
// fragments: a rack is required, and half of the answers are negative.
func BenchmarkDecision(b *testing.B) {
	for _, nodes := range []int{125, 1250, 12500} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			s := bigPool(nodes)
			addTeam(s, "a", int64(nodes)*8)
			fragment(s, rand.New(rand.NewPCG(1, 1)), nodes, 85)
			fits, never := gang("a", "fits", engine.Batch, 4, 1), gang("a", "never", engine.Batch, 14, 8)
			fits.Required, never.Required = "rack", "rack"
			now := engine.Time(1)
			s.Decide(now)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				g := fits
				if i%2 == 1 {
					g = never
				}
				now++
				g.Queued = now
				s.SetGang(g)
				s.Decide(now)
				s.RemoveGang(g.ID)
			}
		})
	}
}

// manyPending returns a state with pending gangs of mixed shapes, more than the pool holds.
func manyPending(nodes, gangs int) *engine.State {
	s := bigPool(nodes)
	for t := range 20 {
		addTeam(s, fmt.Sprintf("t%d", t), int64(nodes)*8/20)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range gangs {
		shape := [][2]int64{{1, 1}, {1, 8}, {2, 8}, {4, 8}, {8, 8}, {16, 8}, {64, 8}, {1, 4}, {16, 1}}[rng.IntN(9)]
		g := gang(fmt.Sprintf("t%d", rng.IntN(20)), fmt.Sprintf("g%05d", i), engine.Tier(rng.IntN(3)), int(shape[0]), shape[1])
		if rng.IntN(2) == 0 && shape[0] <= 16 {
			g.Required = "rack"
		}
		g.Queued = engine.Time(i)
		s.SetGang(g)
	}
	return s
}

// BenchmarkFirstPass is a whole pass over pending gangs of mixed shapes and tiers on an empty pool.
func BenchmarkFirstPass(b *testing.B) {
	for _, size := range [][2]int{{125, 100}, {1250, 1000}, {12500, 10000}} {
		b.Run(fmt.Sprintf("nodes=%d/gangs=%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				s := manyPending(size[0], size[1])
				b.StartTimer()
				s.Decide(hour)
			}
		})
	}
}

// BenchmarkOneEvent is one gang's end and the decision that follows, with thousands pending.
func BenchmarkOneEvent(b *testing.B) {
	for _, size := range [][2]int{{125, 100}, {1250, 1000}, {12500, 10000}} {
		b.Run(fmt.Sprintf("nodes=%d/gangs=%d", size[0], size[1]), func(b *testing.B) {
			s := manyPending(size[0], size[1])
			now := hour
			s.Decide(now)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				now++
				name := fmt.Sprintf("f%d", i)
				s.SetForeign(engine.Foreign{Name: name, Node: "n00001", Requests: engine.Amounts{gpu: 1}})
				s.RemoveForeign(name)
				s.Decide(now)
			}
		})
	}
}

// BenchmarkReclaim is one pass over a pool full of one team's one-accelerator gangs, of which another team, guaranteed
// half of the pool, has as many pending.
func BenchmarkReclaim(b *testing.B) {
	for _, nodes := range []int{50, 500} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				s := fullOfOnes(nodes)
				for i := range nodes * 8 {
					g := gang("b", fmt.Sprintf("g%05d", i), engine.Batch, 1, 1)
					g.Queued = hour
					s.SetGang(g)
				}
				b.StartTimer()
				s.Decide(2 * hour)
			}
		})
	}
}

// fullOfOnes returns a pool full of team a's one-accelerator gangs; team b is guaranteed half of it.
func fullOfOnes(nodes int) *engine.State {
	s := bigPool(nodes)
	addTeam(s, "a", 0)
	addTeam(s, "b", int64(nodes)*4)
	for i := range nodes * 8 {
		g := gang("a", fmt.Sprintf("g%05d", i), engine.Batch, 1, 1)
		g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Started: engine.Time(i + 1), Slot: engine.Slot{
			Pool: "h100", Level: "node", Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{fmt.Sprintf("n%05d", i/8)}}},
		}}
		s.SetGang(g)
	}
	s.Decide(hour)
	return s
}

// BenchmarkOneShort is the verdict for a gang that asks for one accelerator more than its team could reclaim.
func BenchmarkOneShort(b *testing.B) {
	for _, nodes := range []int{50, 500} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			s := fullOfOnes(nodes)
			now := 2 * hour
			b.ReportAllocs()
			for b.Loop() {
				now++
				g := gang("b", "short", engine.Batch, nodes*4+1, 1)
				g.Queued = now
				s.SetGang(g)
				s.Decide(now)
				s.RemoveGang(g.ID)
			}
		})
	}
}
