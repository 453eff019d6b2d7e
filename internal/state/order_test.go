package state

import (
	"fmt"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Informers of different kinds know nothing of each other: whatever comes first, the room is the same in the end.
func TestTheOrderOfEventsOfDifferentKindsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, 0)
		g := w.gangJob("g", 2)
		held := w.held(g, v1alpha1.BerthOccupied, 1, "n0", "n1")
		j := childJob(g, "w", 1, false)
		events := []func(){
			func() { w.SetGang(held) },
			func() { w.SetJob(j) },
			func() { w.SetPod(podOf(j, 0, "n0")) },
			func() { w.SetPod(podOf(j, 1, "n1")) },
			func() { w.SetPod(foreignPod("other", "n2")) },
		}
		for i := range 4 {
			events = append(events, func() { w.SetNode(newNode(fmt.Sprintf("n%d", i))) })
		}
		for _, i := range rapid.Permutation(indexes(len(events))).Draw(rt, "order") {
			events[i]()
			if rapid.Bool().Draw(rt, "decide in between") {
				decisions, _ := w.Decide()
				for _, d := range decisions { // none is carried out
					w.Refused(d.Gang)
				}
			}
		}
		if got := w.free(); got != 8 {
			rt.Fatalf("%d idle of 32, want 8: the gang has two nodes, another pod one", got)
		}
		if w.Gone(key("g"), 1) {
			rt.Fatal("the gang's pods are there, and count as gone")
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestManyMayCallAtOnce(t *testing.T) {
	w := newWorld(t, 8)
	w.OnGang(func(types.NamespacedName) {})
	changes := w.Changes()
	gangs := make([]*v1alpha1.GangJob, 16)
	for i := range gangs {
		gangs[i] = w.gangJob(fmt.Sprintf("g%d", i), 1)
	}
	var all sync.WaitGroup
	for i, g := range gangs {
		all.Go(func() {
			j := childJob(g, "w", 1, true)
			w.SetGang(g)
			w.SetJob(j)
			w.SetPod(foreignPod(fmt.Sprintf("f%d", i), fmt.Sprintf("n%d", i%8)))
			w.RemovePod(key(fmt.Sprintf("f%d", i)))
		})
		all.Go(func() {
			w.Decide()
			w.Pending()
			w.Team("t")
			w.Reservation(key(g.Name), 1)
		})
	}
	all.Wait()
	select {
	case <-changes:
	default:
		t.Error("nobody was told that anything changed")
	}
	for _, g := range gangs { // what the engine assumed meanwhile was never written
		w.Refused("ns/" + g.Name)
	}
	decisions, _ := w.Decide()
	if got := w.free(); got != 0 || len(decisions) < 8 {
		t.Errorf("%d idle and %d decisions, want every node given away", got, len(decisions))
	}
}
