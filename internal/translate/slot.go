package translate

import (
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Slot reads the slot that an assignment holds.
func Slot(a *v1alpha1.Assignment) engine.Slot {
	slot := engine.Slot{Pool: a.Pool, Level: a.Level}
	if a.Level == v1alpha1.LevelPool {
		slot.Level = ""
	}
	if a.Domain != "" {
		slot.Domain = strings.Split(a.Domain, "/")
	}
	for i := range a.Roles {
		slot.Roles = append(slot.Roles, engine.RoleSlot{Role: a.Roles[i].Name, Nodes: nodesOf(a.Roles[i].Nodes)})
	}
	return slot
}

// nodesOf lists the node of each rank.
func nodesOf(runs []v1alpha1.NodeRun) []string {
	var nodes []string
	for _, run := range runs {
		for i, suffix := range run.Suffixes {
			for range podsOn(run.Counts, i) {
				nodes = append(nodes, run.Prefix+suffix+run.Ending)
			}
		}
	}
	return nodes
}

// podsOn is the number of pods on the i-th node of a run.
func podsOn(counts []int32, i int) int32 {
	switch {
	case len(counts) == 0:
		return 1
	case i < len(counts):
		return counts[i]
	default:
		return counts[len(counts)-1]
	}
}
