package assignment_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
)

func TestPackWritesWhatNamesShareOnce(t *testing.T) {
	tests := map[string]struct {
		places []assignment.Place
		want   []v1alpha1.NodeRun
	}{
		"no node": {nil, nil},
		"one node": {
			[]assignment.Place{{Node: "n1", Pods: 8}},
			[]v1alpha1.NodeRun{{Prefix: "n1", Suffixes: []string{""}, Counts: []int32{8}}},
		},
		"nodes that begin alike, with as many pods each": {
			[]assignment.Place{{Node: "gpu-07", Pods: 2}, {Node: "gpu-12", Pods: 2}},
			[]v1alpha1.NodeRun{{Prefix: "gpu-", Suffixes: []string{"07", "12"}, Counts: []int32{2}}},
		},
		"nodes that begin and end alike, with one pod each": {
			[]assignment.Place{{Node: "ip-10-0-1.internal", Pods: 1}, {Node: "ip-10-7-1.internal", Pods: 1}},
			[]v1alpha1.NodeRun{{Prefix: "ip-10-", Suffixes: []string{"0", "7"}, Ending: "-1.internal"}},
		},
		"names of which one begins the other": {
			[]assignment.Place{{Node: "n1", Pods: 1}, {Node: "n11", Pods: 3}, {Node: "n1", Pods: 1}},
			[]v1alpha1.NodeRun{{Prefix: "n1", Suffixes: []string{"", "1", ""}, Counts: []int32{1, 3, 1}}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, assignment.Pack(test.places)); diff != "" {
				t.Errorf("runs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatWasPackedIsUnpackedInOrder(t *testing.T) {
	place := rapid.Custom(func(t *rapid.T) assignment.Place {
		return assignment.Place{
			Node: rapid.StringMatching(`(gpu-)?[ab1]{1,4}(\.ab)?(\.local)?`).Draw(t, "node"),
			Pods: rapid.Int32Range(1, 8).Draw(t, "pods"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(place, 0, 40).Draw(t, "places")
		got, err := assignment.Unpack(assignment.Pack(places))
		if err != nil {
			t.Fatalf("unpacking: %v", err)
		}
		if len(places) > 0 && !cmp.Equal(places, got) {
			t.Fatalf("(-want +got):\n%s", cmp.Diff(places, got))
		}
	})
}

// bound is what the assignment of 2,000 nodes may measure in JSON.
const bound = 64 << 10

func TestTwoThousandNodesStaySmall(t *testing.T) {
	const n = 2000
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	random := rand.New(rand.NewPCG(1, 2))
	word := func(length int) string {
		b := make([]byte, length)
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	tests := map[string]func(i int) string{
		"numbered":         func(i int) string { return fmt.Sprintf("gpu-node-%05d.cluster.example.com", i) },
		"numbered by rack": func(i int) string { return fmt.Sprintf("s%02d-r%03d-n%02d", i/256, i/16, i%16) },
		"by address": func(i int) string {
			return fmt.Sprintf("ip-10-%d-%d-%d.us-west-2.compute.internal", i/700, i/7%200, i%251)
		},
		"with a random ending":      func(int) string { return "gke-training-a3-mega-pool-" + word(8) + "-" + word(4) },
		"with a random beginning":   func(int) string { return word(12) + ".berth.example.com" },
		"of two pools by turns":     func(i int) string { return fmt.Sprintf("pool-%c-of-the-cluster-%04d", 'a'+i%2, i) },
		"of bare-metal serial tags": func(int) string { return "dgx-" + word(10) },
	}
	for name, node := range tests {
		t.Run(name, func(t *testing.T) {
			places := make([]assignment.Place, n)
			for i := range places {
				places[i] = assignment.Place{Node: node(i), Pods: int32(1 + i%8)}
			}
			packed := assignment.Pack(places)
			raw, err := json.Marshal(packed)
			if err != nil {
				t.Fatal(err)
			}
			if len(raw) >= bound {
				t.Errorf("%d nodes take %d bytes, must be less than %d", n, len(raw), bound)
			}
			got, err := assignment.Unpack(packed)
			if err != nil || !cmp.Equal(places, got) {
				t.Errorf("unpacked they differ (%v):\n%s", err, cmp.Diff(places, got))
			}
		})
	}
}
