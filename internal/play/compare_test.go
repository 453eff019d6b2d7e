package play

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlaysAreComparedByIdentityAndOrder(t *testing.T) {
	start := func(at time.Duration, gang string, nodes ...string) Step {
		return Step{At: at, Gang: gang, What: Started, Where: nodes}
	}
	for name, test := range map[string]struct {
		said, done []Step
		want       []Difference
	}{
		"the same at other times agree": {
			said: []Step{start(0, "a/x", "n0"), start(time.Minute, "a/y", "n1")},
			done: []Step{start(time.Second, "a/x", "n0"), start(time.Hour, "a/y", "n1")},
		},
		"what is simultaneous may come in any order": {
			said: []Step{start(0, "a/x", "n0"), start(0, "a/y", "n1")},
			done: []Step{start(0, "a/y", "n1"), start(0, "a/x", "n0")},
		},
		"other nodes differ": {
			said: []Step{start(0, "a/x", "n0", "n0", "n1")},
			done: []Step{start(0, "a/x", "n0", "n1", "n1")},
			want: []Difference{{"a/x", "Started on 2xn0 n1", "Started on n0 2xn1"}},
		},
		"other victims differ": {
			said: []Step{{Gang: "a/x", What: Planned, Why: "victims b/y"}},
			done: []Step{{Gang: "a/x", What: Planned, Why: "victims b/z"}},
			want: []Difference{{"a/x", "Planned, victims b/y", "Planned, victims b/z"}},
		},
		"a step too few and one too many differ": {
			said: []Step{start(0, "a/x", "n0"), {Gang: "a/x", What: Succeeded}},
			done: []Step{start(0, "a/x", "n0"), {Gang: "a/y", What: Left}},
			want: []Difference{{"a/x", "Succeeded", "nothing"}, {"a/y", "nothing", "Left"}},
		},
		"another order differs": {
			said: []Step{start(0, "a/x", "n0"), start(time.Minute, "a/y", "n1")},
			done: []Step{start(0, "a/y", "n1"), start(0, "a/x", "n0")},
			want: []Difference{{"a/x, a/y", "Started on n0, then Started on n1", "Started on n1, then Started on n0"}},
		},
		"promises may come at other times": {
			said: []Step{start(0, "a/x", "n0"), {At: time.Minute, Gang: "a/y", What: Promised}},
			done: []Step{{Gang: "a/y", What: Promised}, start(0, "a/x", "n0")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, compare(test.said, test.done)); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func TestATableTellsWhatDiffersAndHowLateTheClusterWas(t *testing.T) {
	r := &Result{
		Name: "reclaim", Behind: 2 * time.Second, Speed: 60,
		Differences: []Difference{{"a/x", "Started on n0", "Started on n1"}},
	}
	var out strings.Builder
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := `reclaim: the cluster differs from the simulator

GANG  SIMULATOR      CLUSTER
a/x   Started on n0  Started on n1

The cluster was up to 2s behind, which is 2m0s of the scenario. Where that matters, play it slower than 60 times.
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
