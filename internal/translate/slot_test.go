package translate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

func TestSlotComesBackAsItWent(t *testing.T) {
	for name, slot := range map[string]engine.Slot{
		"a rack": {
			Pool: "h100", Level: "rack", Domain: []string{"s0", "r1"}, Roles: []engine.RoleSlot{
				{Role: "launcher", Nodes: []string{"n7"}}, {Role: "worker", Nodes: []string{"n7", "n8", "n8", "n10"}},
			},
		},
		"a node":   {Pool: "h100", Level: "node", Domain: []string{"s0", "r1", "n1"}, Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{"n1", "n1"}}}},
		"the pool": {Pool: "h100", Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{"a", "b"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Slot(Assignment(slot))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(slot, got); diff != "" {
				t.Errorf("slot (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnAssignmentThatCannotBeIsRefused(t *testing.T) {
	a := &v1alpha1.Assignment{Roles: []v1alpha1.RoleAssignment{{
		Name: "worker", Nodes: []v1alpha1.NodeRun{{Prefix: "n", Suffixes: []string{"1", "2", "3"}, Counts: []int32{1, 2}}},
	}}}
	if slot, err := Slot(a); err == nil {
		t.Errorf("got %v, want an error", slot)
	}
}
