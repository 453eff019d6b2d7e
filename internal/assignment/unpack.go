package assignment

import (
	"errors"
	"fmt"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// MaxPods is how many pods a role has at most.
const MaxPods = 16384

// Unpack gives the places that [Pack] wrote, in their order. Runs whose counts do not match their nodes, which nothing
// but a hand can have written, are an error.
func Unpack(runs []v1alpha1.NodeRun) ([]Place, error) {
	var places []Place
	total := 0
	for i := range runs {
		run := &runs[i]
		if n := len(run.Counts); n > 1 && n != len(run.Suffixes) {
			return nil, fmt.Errorf("nodes[%d]: %d counts for %d suffixes; give none, one for all, or one for each", i, n, len(run.Suffixes))
		}
		for j, suffix := range run.Suffixes {
			place := Place{Node: run.Prefix + suffix + run.Ending, Pods: count(run.Counts, j)}
			if place.Pods < 1 || place.Node == "" {
				return nil, fmt.Errorf("nodes[%d]: %d pods on node %q; a node has a name and at least one pod", i, place.Pods, place.Node)
			}
			if total += int(place.Pods); total > MaxPods {
				return nil, fmt.Errorf("nodes[%d]: more than %d pods", i, MaxPods)
			}
			places = append(places, place)
		}
	}
	return places, nil
}

func count(counts []int32, i int) int32 {
	switch len(counts) {
	case 0:
		return 1
	case 1:
		return counts[0]
	default:
		return counts[i]
	}
}

// Ranks gives the node of every rank of a role, rank 0 first.
func Ranks(role v1alpha1.RoleAssignment) ([]string, error) {
	places, err := Unpack(role.Nodes)
	if err != nil {
		return nil, fmt.Errorf("role %s: %w", role.Name, err)
	}
	var nodes []string
	for _, place := range places {
		for range place.Pods {
			nodes = append(nodes, place.Node)
		}
	}
	return nodes, nil
}

// FromRanks packs the node of every rank of a role, rank 0 first.
func FromRanks(role string, nodes []string) v1alpha1.RoleAssignment {
	var places []Place
	for _, node := range nodes {
		if last := len(places) - 1; last >= 0 && places[last].Node == node {
			places[last].Pods++
			continue
		}
		places = append(places, Place{Node: node, Pods: 1})
	}
	return v1alpha1.RoleAssignment{Name: role, Nodes: Pack(places)}
}

// errNoAssignment is what [ByRole] returns for nil.
var errNoAssignment = errors.New("there is no assignment")

// ByRole gives the node of every rank, rank 0 first, under the name of its role.
func ByRole(a *v1alpha1.Assignment) (map[string][]string, error) {
	if a == nil {
		return nil, errNoAssignment
	}
	nodes := make(map[string][]string, len(a.Roles))
	for _, role := range a.Roles {
		ranks, err := Ranks(role)
		if err != nil {
			return nil, err
		}
		nodes[role.Name] = ranks
	}
	return nodes, nil
}
