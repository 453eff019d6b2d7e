package topology

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/conditions"
	"github.com/berth-dev/berth/internal/engine"
)

// maxNamed is how many nodes a message names.
const maxNamed = 8

// judgePool sets the conditions of a pool.
func judgePool(pool *v1alpha1.TopologyDomain, views []engine.DomainView, overlapping map[string]string) {
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&pool.Status.Conditions, pool.Generation, kind, holds, reason, message)
	}
	set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, alone(views))
	if len(overlapping) == 0 {
		set(v1alpha1.ConditionOverlapping, false, v1alpha1.ReasonNoOverlap, "")
		return
	}
	var nodes []string
	for _, name := range slices.Sorted(maps.Keys(overlapping)) {
		nodes = append(nodes, fmt.Sprintf("node %s belongs to pool %s", name, overlapping[name]))
	}
	set(v1alpha1.ConditionOverlapping, true, v1alpha1.ReasonNodesInOlderPool, some(nodes, "; ")+
		"; a node that two pools select is the older one's")
}

// alone names the nodes that lack the label of a level.
func alone(views []engine.DomainView) string {
	var nodes []string
	for _, v := range views {
		if v.Level == engine.NodeLevel && v.Unlabelled {
			nodes = append(nodes, v.Path[len(v.Path)-1])
		}
	}
	if len(nodes) == 0 {
		return ""
	}
	return "nodes that lack the label of a level stand in no domain of it, each alone: " + some(nodes, ", ")
}

// some joins the first of many.
func some(list []string, separator string) string {
	text := strings.Join(list[:min(len(list), maxNamed)], separator)
	if more := len(list) - maxNamed; more > 0 {
		text += fmt.Sprintf("%sand %d more", separator, more)
	}
	return text
}
