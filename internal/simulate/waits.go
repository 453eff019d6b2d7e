package simulate

import (
	"cmp"
	"slices"
)

// waitsBySize groups gangs by size: none, 1, 2, 3 to 4, 5 to 8 accelerators and so on.
func waitsBySize(gangs []*GangLine) []Waits {
	classes := map[int64][]*GangLine{}
	for _, g := range gangs {
		classes[sizeClass(g.Accelerators)] = append(classes[sizeClass(g.Accelerators)], g)
	}
	var out []Waits
	for _, size := range sortedKeys(classes) {
		class := classes[size]
		slices.SortStableFunc(class, func(a, b *GangLine) int { return cmp.Compare(a.Waited, b.Waited) })
		w := Waits{From: size/2 + 1, To: size, Gangs: len(class), Communication: meanCommunication(class)}
		if size == 0 {
			w.From = 0
		}
		var sum, turnaround, succeeded float64
		for _, g := range class {
			sum += float64(g.Waited)
			if g.Phase == Succeeded {
				turnaround += float64(*g.Finished - g.Submitted)
				succeeded++
			}
		}
		w.Turnaround = Offset(turnaround / max(succeeded, 1))
		w.P50, w.P95 = class[rank(len(class), 50)].Waited, class[rank(len(class), 95)].Waited
		w.Mean = Offset(sum / float64(len(class)))
		out = append(out, w)
	}
	return out
}

// sizeClass is the smallest power of two that is not below n.
func sizeClass(n int64) int64 {
	class := int64(0)
	for class < n {
		class = max(1, class*2)
	}
	return class
}

// rank is the index of a percentile in a sorted list of n.
func rank(n, percent int) int { return max(0, (n*percent+99)/100-1) }

func meanCommunication(gangs []*GangLine) float64 {
	var sum float64
	n := 0
	for _, g := range gangs {
		if g.Best > 0 {
			sum += float64(g.Estimate) / float64(g.Best)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return round(sum / float64(n))
}
