package assignment

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Place is a number of consecutive ranks on one node.
type Place struct {
	Node string
	// Pods is at least 1.
	Pods int32
}

// The JSON that a run takes besides its strings, and each of its suffixes, in bytes.
const (
	runCost    = len(`{"prefix":"","suffixes":[],"ending":"","counts":[]},`)
	suffixCost = len(`"",`)
)

// run is a stretch of places that is to be written with a common beginning and end.
type run struct {
	prefix, ending string
	// shortest is the length of the shortest name: the common parts must not overlap in it.
	shortest int
	// names is the summed length of all names, places their number.
	names, places int
}

func newRun(name string) run {
	return run{prefix: name, shortest: len(name), names: len(name), places: 1}
}

// with is the run that has one name more.
func (r run) with(name string) run {
	ending := r.ending
	if r.places == 1 {
		ending = r.prefix
	}
	next := run{shortest: min(r.shortest, len(name)), names: r.names + len(name), places: r.places + 1}
	next.prefix = name[:common(r.prefix, name)]
	tail := commonEnd(ending, name)
	tail = min(tail, next.shortest-len(next.prefix))
	next.ending = name[len(name)-tail:]
	return next
}

// cost is the size of the run in JSON, in bytes.
func (r run) cost() int {
	shared := len(r.prefix) + len(r.ending)
	return runCost + shared + r.names - r.places*shared + r.places*suffixCost
}

// Pack writes places in runs whose names begin and end alike. [Unpack] gives them back in the same order.
func Pack(places []Place) []v1alpha1.NodeRun {
	var runs []v1alpha1.NodeRun
	for len(places) > 0 {
		current, n := newRun(places[0].Node), 1
		for n < len(places) {
			next := current.with(places[n].Node)
			if next.cost() > current.cost()+newRun(places[n].Node).cost() {
				break
			}
			current, n = next, n+1
		}
		runs = append(runs, current.write(places[:n]))
		places = places[n:]
	}
	return runs
}

func (r run) write(places []Place) v1alpha1.NodeRun {
	out := v1alpha1.NodeRun{Prefix: r.prefix, Ending: r.ending, Suffixes: make([]string, len(places))}
	counts := make([]int32, len(places))
	for i, place := range places {
		out.Suffixes[i] = place.Node[len(r.prefix) : len(place.Node)-len(r.ending)]
		counts[i] = place.Pods
	}
	switch counts = slices.Clip(counts); {
	case !same(counts):
		out.Counts = counts
	case counts[0] != 1:
		out.Counts = counts[:1:1]
	}
	return out
}

func same(counts []int32) bool {
	return !slices.ContainsFunc(counts, func(n int32) bool { return n != counts[0] })
}

// common is how many bytes two names begin with alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// commonEnd is how many bytes two names end with alike.
func commonEnd(a, b string) int {
	if strings.HasSuffix(b, a) {
		return len(a)
	}
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
