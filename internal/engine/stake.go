package engine

import (
	"math/bits"
	"slices"
)

// atStake returns what would be lost if v left now: its accelerators times the time since its last checkpoint, or its
// start, the time capped (P3): silence does not pay.
func (s *State) atStake(v *gang) wide {
	t := min(s.uncapped(v), s.cfg.LostWorkCap)
	if !v.Published {
		t = min(t, s.usualLoss(v.Berth.Slot.Pool, v.Tier))
	}
	hi, lo := bits.Mul64(uint64(s.acceleratorsOf(v)), uint64(t))
	return wide{hi, lo}
}

// uncapped returns the time since v's last checkpoint, or its start.
func (s *State) uncapped(v *gang) int64 {
	if v.Berth.State != Occupied {
		return 0
	}
	return max(s.now-max(v.LastCheckpoint, v.Berth.Started), 0)
}

// usualLoss returns the median of the time at stake over the running gangs of a pool and tier that publish checkpoints;
// the cap if there are none.
func (s *State) usualLoss(poolName string, tier Tier) int64 {
	p, ok := s.pools[poolName]
	if !ok {
		return s.cfg.LostWorkCap
	}
	if m, ok := p.medians[tier]; ok {
		return m
	}
	var times []int64
	for _, g := range p.gangs {
		if g.Tier == tier && g.Published && g.Berth != nil && g.Berth.State == Occupied {
			times = append(times, min(s.uncapped(g), s.cfg.LostWorkCap))
		}
	}
	median := s.cfg.LostWorkCap
	if len(times) > 0 {
		slices.Sort(times)
		median = times[(len(times)-1)/2]
	}
	if p.medians == nil {
		p.medians = map[Tier]int64{}
	}
	p.medians[tier] = median
	return median
}

// acceleratorsOf returns what v counts as in accelerators, weighted, in thousandths.
func (s *State) acceleratorsOf(v *gang) int64 {
	var sum int64
	for _, a := range s.pools[v.Berth.Slot.Pool].spec.Accelerators {
		sum += max(a.Weight, 1) * v.charged[s.pairs.of(v.Berth.Slot.Pool, a.Resource)]
	}
	return sum
}

// weigh returns what v adds to a plan's cost.
func (s *State) weigh(v *gang, straddles bool) cost {
	if v.Berth.State == Planned || v.Berth.Leaving != nil {
		return cost{}
	}
	c := cost{straddling: boolInt(straddles), freed: s.acceleratorsOf(v), count: 1}
	c.work[Production-v.Tier] = s.atStake(v)
	return c
}
