package play

import (
	"fmt"
	"maps"
	"slices"
)

// Difference is one thing in which simulator and cluster disagree.
type Difference struct {
	// Gang is the gang that it is about; of an order, both.
	Gang string
	// Said is what the simulator says, Done what the cluster did.
	Said, Done string
}

// compare holds what the cluster did against what the simulator says: each gang's steps, and the order between gangs.
func compare(said, done []Step) []Difference {
	var out []Difference
	a, b := byGang(said), byGang(done)
	gangs := maps.Clone(a)
	maps.Copy(gangs, b)
	for _, gang := range slices.Sorted(maps.Keys(gangs)) {
		for i := range max(len(a[gang]), len(b[gang])) {
			x, y := textAt(said, a[gang], i), textAt(done, b[gang], i)
			if x != y {
				out = append(out, Difference{gang, x, y})
			}
		}
	}
	if len(out) > 0 {
		return out // an order of different things says nothing more
	}
	return disorder(said, a, b)
}

// byGang lists the places of each gang's steps.
func byGang(list []Step) map[string][]int {
	out := map[string][]int{}
	for i, s := range list {
		out[s.Gang] = append(out[s.Gang], i)
	}
	return out
}

func textAt(list []Step, places []int, i int) string {
	if i >= len(places) {
		return "nothing"
	}
	return list[places[i]].String()
}

// ordered tells whether the order of a step and those of other gangs is compared. When a promise is made depends on nothing
// that another gang does at that time, and it is made after so much time of waiting, of which latency is part.
func ordered(s Step) bool { return s.What != Promised }

// disorder finds steps that came before others on the cluster which came before them in the simulator, at an earlier
// instant. Each gang's own steps agree by now.
func disorder(said []Step, a, b map[string][]int) []Difference {
	place := make([]int, len(said)) // on the cluster
	for gang, places := range a {
		for i, k := range places {
			place[k] = b[gang][i]
		}
	}
	var out []Difference
	for later := range said {
		for earlier := range later {
			inverted := said[earlier].At < said[later].At && place[earlier] > place[later]
			if inverted && ordered(said[earlier]) && ordered(said[later]) {
				x, y := said[earlier], said[later]
				out = append(out, Difference{
					Gang: x.Gang + ", " + y.Gang,
					Said: fmt.Sprintf("%s, then %s", x, y), Done: fmt.Sprintf("%s, then %s", y, x),
				})
			}
		}
	}
	return out
}
