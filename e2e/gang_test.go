package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/translate"
)

func TestAGangStartsWholeInOneRackAndSucceeds(t *testing.T) {
	w := newWorld(t, "whole", 2, 6)
	ns := w.team("a", 96, 0)
	g := w.submit(w.gang(ns, "llama", 4, 8, requireRack, runFor("3s")))
	running := w.phase(g, v1alpha1.PhaseRunning)

	slot, err := translate.Slot(running.Status.Assignment)
	w.must(err, "reading the assignment")
	assigned := slot.Roles[0].Nodes
	if len(assigned) != 4 {
		t.Fatalf("assigned nodes %v, want 4", assigned)
	}
	for _, node := range assigned {
		if w.rackOf(node) != w.rackOf(assigned[0]) {
			t.Errorf("nodes %v are not in one rack", assigned)
		}
	}
	if diff := cmp.Diff(assigned, w.ranks(g, 4)); diff != "" {
		t.Errorf("rank k is not on the k-th node of the assignment (-assigned +found):\n%s", diff)
	}
	done := w.phase(g, v1alpha1.PhaseSucceeded)
	if s := done.Status; s.Succeeded != 1 || s.Failed != 0 || s.Attempts != 1 || s.ReadyPods != "4/4" {
		t.Errorf("status at the end: %+v", s)
	}
}
