package validate

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
)

// World is what rules need to know besides the object.
type World struct {
	// Limits are the manager's.
	Limits config.Limits
	// Teams are all teams.
	Teams []v1alpha1.Team
	// Pools are all roots among the TopologyDomains.
	Pools []v1alpha1.TopologyDomain
	// TeamOf is the team that a namespace belongs to, nil if none. The field itself may be nil: no namespace has one.
	TeamOf func(namespace string) *v1alpha1.Team
	// ClaimDrivers lists the DRA drivers that a pod's resource claim asks, none if that cannot be told. The field may be
	// nil: nothing can be told.
	ClaimDrivers func(namespace string, claim corev1.PodResourceClaim) []string
	// Offline: no cluster is at hand. Whether pools and levels exist is not judged.
	Offline bool
}

func (w *World) teamOf(namespace string) *v1alpha1.Team {
	if w.TeamOf == nil {
		return nil
	}
	return w.TeamOf(namespace)
}

// isAccelerator is true of resources that some pool counts as accelerators.
func (w *World) isAccelerator(name corev1.ResourceName) bool {
	if name == v1alpha1.DefaultAccelerator {
		return true
	}
	for i := range w.Pools {
		for _, a := range w.Pools[i].Spec.Accelerators {
			if a.Resource == string(name) {
				return true
			}
		}
	}
	return false
}

// candidates are the pools that a gang may run in: the one it names, or all.
func (w *World) candidates(pool string) []*v1alpha1.TopologyDomain {
	var out []*v1alpha1.TopologyDomain
	for i := range w.Pools {
		if pool == "" || w.Pools[i].Name == pool {
			out = append(out, &w.Pools[i])
		}
	}
	return out
}

// poolNames lists all pools, in their order.
func (w *World) poolNames() []string {
	names := make([]string, len(w.Pools))
	for i := range w.Pools {
		names[i] = w.Pools[i].Name
	}
	return names
}
