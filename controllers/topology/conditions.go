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

// judge sets the conditions of a pool.
func judge(pool *v1alpha1.TopologyDomain, s *scope) {
	set := func(kind string, holds bool, reason, message string) {
		conditions.Set(&pool.Status.Conditions, pool.Generation, kind, holds, reason, message)
	}
	set(v1alpha1.ConditionActive, true, v1alpha1.ReasonReady, remarks(s))
	if len(s.overlapping) == 0 {
		set(v1alpha1.ConditionOverlapping, false, v1alpha1.ReasonNoOverlap, "")
		return
	}
	var nodes []string
	for _, name := range slices.Sorted(maps.Keys(s.overlapping)) {
		nodes = append(nodes, fmt.Sprintf("node %s belongs to pool %s", name, s.overlapping[name]))
	}
	set(v1alpha1.ConditionOverlapping, true, v1alpha1.ReasonNodesInOlderPool, some(nodes, "; ")+
		"; a node that two pools select is the older one's")
}

// remarks say what the platform team should look at although the pool can be used: nodes that lack the label of a level,
// and objects that have the name of a domain.
func remarks(s *scope) string {
	var nodes, text []string
	for _, v := range s.views {
		if v.Level == engine.NodeLevel && v.Unlabelled {
			nodes = append(nodes, v.Path[len(v.Path)-1])
		}
	}
	if len(nodes) > 0 {
		text = append(text, "nodes that lack the label of a level stand in no domain of it, each alone: "+some(nodes, ", "))
	}
	if len(s.inTheWay) > 0 {
		text = append(text, "domains are not drawn because a TopologyDomain that is not of this pool has their name; delete or rename "+
			some(s.inTheWay, ", "))
	}
	return strings.Join(text, "; ")
}

// some joins the first of many.
func some(list []string, separator string) string {
	text := strings.Join(list[:min(len(list), maxNamed)], separator)
	if more := len(list) - maxNamed; more > 0 {
		text += fmt.Sprintf("%sand %d more", separator, more)
	}
	return text
}
