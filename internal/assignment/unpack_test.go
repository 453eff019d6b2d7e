package assignment_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
)

func TestUnpackRefusesWhatCannotBe(t *testing.T) {
	tests := map[string]struct {
		run  v1alpha1.NodeRun
		want string
	}{
		"two counts for three nodes": {
			v1alpha1.NodeRun{Prefix: "n", Suffixes: []string{"1", "2", "3"}, Counts: []int32{1, 2}}, "2 counts for 3 suffixes",
		},
		"a node without pods": {v1alpha1.NodeRun{Prefix: "n", Suffixes: []string{"1"}, Counts: []int32{0}}, `0 pods on node "n1"`},
		"a node without name": {v1alpha1.NodeRun{Suffixes: []string{""}}, `on node ""`},
		"more pods than a role may have": {
			v1alpha1.NodeRun{Prefix: "n", Suffixes: []string{"1"}, Counts: []int32{assignment.MaxPods + 1}}, "more than 16384 pods",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := assignment.Unpack([]v1alpha1.NodeRun{test.run})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestEveryRankHasItsNode(t *testing.T) {
	nodes := []string{"n3", "n3", "n1", "n3", "n2", "n2"}
	packed := assignment.FromRanks("worker", nodes)
	got, err := assignment.ByRole(&v1alpha1.Assignment{Pool: "h100", Roles: []v1alpha1.RoleAssignment{packed}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]string{"worker": nodes}, got); diff != "" {
		t.Errorf("nodes of the ranks (-want +got):\n%s", diff)
	}
	if _, err := assignment.ByRole(nil); err == nil {
		t.Error("no assignment is no error")
	}
}
