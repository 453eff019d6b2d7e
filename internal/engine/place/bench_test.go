package place

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// building returns nodes in racks of 16 and spines of 16 racks.
func building(nodes int, gpus, cpus int64) []machine {
	out := make([]machine, nodes)
	for i := range out {
		out[i] = machine{
			path: []string{fmt.Sprintf("s%03d", i/256), fmt.Sprintf("r%04d", i/16)}, name: fmt.Sprintf("n%05d", i), gpus: gpus, cpus: cpus,
		}
	}
	return out
}

// occupy takes fragments of 1 to 16 GPUs at random places until so many percent of all are taken.
func occupy(machines []machine, percent int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var total, taken int64
	for _, m := range machines {
		total += m.gpus
	}
	for taken*100 < total*int64(percent) {
		left := rnd.Int64N(16) + 1
		for i := rnd.IntN(len(machines)); left > 0; i = (i + 1) % len(machines) {
			m := &machines[i]
			k := min(left, m.gpus-m.usedGPU)
			m.usedGPU += k
			left -= k
			taken += k
		}
	}
}

// halfNegative returns requests with rack required: for pods of 1, 2, 4 and 8 GPUs one that the best rack only just
// holds, one of half that size, and two that are too large; and the same with a launcher beside.
func halfNegative(p *pool) []*Request {
	var out []*Request
	launcher := p.role(1, 0, 4, "")
	for _, g := range []int64{1, 2, 4, 8} {
		role := p.role(0, g, 4, "")
		most := int(slices.Max(role.Shape.Fits(2)))
		for _, count := range []int{most, most + 1, (most + 1) / 2, most + 4} {
			role.Count = count
			alone, beside := p.request(role), p.request(launcher, role)
			alone.Required, beside.Required = 2, 2
			out = append(out, alone, beside)
		}
	}
	return out
}

func BenchmarkOneDecisionAt85Percent(b *testing.B) {
	for _, nodes := range []int{125, 1250, 12500} {
		machines := building(nodes, 8, 96)
		occupy(machines, 85)
		p := newPool([]string{"spine", "rack"}, machines)
		all := halfNegative(p)
		for _, kind := range []struct {
			name string
			from int
		}{{"worker", 0}, {"launcher+worker", 1}} {
			b.Run(fmt.Sprintf("nodes=%d/%s", nodes, kind.name), func(b *testing.B) {
				var f Finder
				found := 0
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, ok, _ := f.Find(all[(2*i+kind.from)%len(all)]); ok {
						found++
					}
				}
				b.ReportMetric(100*float64(found)/float64(b.N), "%found")
			})
		}
	}
}

// benchmarkFind measures one request, which must be met.
func benchmarkFind(b *testing.B, r *Request) {
	b.Helper()
	var f Finder
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, _ := f.Find(r); !ok {
			b.Fatal("no slot found")
		}
	}
}

func BenchmarkManyPodsPreferARack(b *testing.B) {
	for _, used := range []bool{false, true} {
		machines := building(2500, 0, 96_000)
		rnd := rand.New(rand.NewPCG(3, 4))
		for i := range machines {
			if used {
				machines[i].usedCPU = rnd.Int64N(96_001)
			}
		}
		p := newPool([]string{"spine", "rack"}, machines)
		b.Run(fmt.Sprintf("used=%v", used), func(b *testing.B) {
			r := p.request(p.role(2304, 0, 8000, ""))
			r.Preferred = 2
			benchmarkFind(b, r)
		})
	}
}

// flat returns the machines without their places.
func flat(machines []machine) []machine {
	out := slices.Clone(machines)
	for i := range out {
		out[i].path = nil
	}
	return out
}

func BenchmarkLargeGang(b *testing.B) {
	empty := building(12500, 8, 96)
	used := building(12500, 8, 96)
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range used {
		if rnd.IntN(10) > 0 {
			used[i].usedGPU = rnd.Int64N(8) + 1
		}
	}
	for _, in := range []struct {
		name     string
		machines []machine
		levels   int
	}{{"empty", empty, 2}, {"used", used, 2}, {"flat", flat(used), 0}} {
		p := newPool([]string{"spine", "rack"}[:in.levels], in.machines)
		b.Run(in.name+"/512 nodes", func(b *testing.B) { benchmarkFind(b, p.request(p.role(512, 8, 4, ""))) })
		b.Run(in.name+"/4096 pods", func(b *testing.B) { benchmarkFind(b, p.request(p.role(4096, 1, 4, ""))) })
		b.Run(in.name+"/512 groups of 8", func(b *testing.B) {
			benchmarkFind(b, p.request(p.role(4096, 1, 4, "", Group{Size: 8, Level: p.tree.NodeLevel()})))
		})
		b.Run(in.name+"/launcher and 512 nodes", func(b *testing.B) {
			benchmarkFind(b, p.request(p.role(1, 0, 4, ""), p.role(512, 8, 4, "")))
		})
		b.Run(in.name+"/one pod", func(b *testing.B) { benchmarkFind(b, p.request(p.role(1, 1, 4, ""))) })
		b.Run(in.name+"/pack 16", func(b *testing.B) {
			r := p.request(p.role(16, 1, 4, ""))
			r.Pack = true
			benchmarkFind(b, r)
		})
	}
}

func BenchmarkMiddlingGang(b *testing.B) {
	machines := building(12500, 8, 96)
	occupy(machines, 85)
	p := newPool([]string{"spine", "rack"}, machines)
	for _, pods := range []int{4, 16, 64, 256} {
		for _, pack := range []bool{false, true} {
			alone := p.request(p.role(pods, 1, 4, ""))
			beside := p.request(p.role(1, 0, 4, ""), p.role(pods, 1, 4, ""))
			alone.Pack, beside.Pack = pack, pack
			b.Run(fmt.Sprintf("pods=%d/pack=%v/worker", pods, pack), func(b *testing.B) { benchmarkFind(b, alone) })
			b.Run(fmt.Sprintf("pods=%d/pack=%v/launcher+worker", pods, pack), func(b *testing.B) { benchmarkFind(b, beside) })
		}
	}
}

func BenchmarkFitsInARack(b *testing.B) {
	machines := building(12500, 8, 96)
	occupy(machines, 85)
	p := newPool([]string{"spine", "rack"}, machines)
	for _, in := range []struct {
		name string
		ask  *Request
	}{
		{"one role", p.request(p.role(16, 1, 4, ""))},
		{"groups", p.request(p.role(16, 1, 4, "", Group{Size: 2, Level: 3}))},
		{"launcher and workers", p.request(p.role(1, 0, 4, ""), p.role(16, 1, 4, ""))},
		{"two kinds", p.request(p.role(4, 2, 4, ""), p.role(4, 3, 4, ""))},
	} {
		b.Run(in.name, func(b *testing.B) {
			var f Finder
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f.FitsIn(in.ask, 2, int32(i%781))
			}
		})
	}
}

func BenchmarkShapeRefresh(b *testing.B) {
	machines := building(12500, 8, 96)
	p := newPool([]string{"spine", "rack"}, machines)
	s := p.role(1, 1, 1, "").Shape
	for i := 0; b.Loop(); i++ {
		p.room.Take(int32(i%12500), topo.Vec{1})
		s.Fits(2)
		p.room.Give(int32(i%12500), topo.Vec{1})
	}
}
