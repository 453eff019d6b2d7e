package topology

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// domain is the object of a domain of a pool.
func domain(pool *v1alpha1.TopologyDomain, name string, v engine.DomainView) *v1alpha1.TopologyDomain {
	parent := pool.Name
	if up := v.Path[:len(v.Path)-1]; len(up) > 0 {
		parent = NameOf(pool.Name, up)
	}
	return &v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				v1alpha1.LabelPool: pool.Name, v1alpha1.LabelLevel: v.Level, v1alpha1.LabelParent: parent,
			},
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(pool, v1alpha1.GroupVersion.WithKind("TopologyDomain")),
			},
		},
		Spec: v1alpha1.TopologyDomainSpec{Pool: pool.Name, Level: v.Level, Path: v.Path},
	}
}

// describe writes down how a domain is.
func describe(d, pool *v1alpha1.TopologyDomain, v engine.DomainView) {
	s := &d.Status
	s.ObservedGeneration = d.Generation
	s.Pool, s.Level, s.Path = pool.Name, v.Level, strings.Join(v.Path, "/")
	if v.Level == "" {
		s.Level = v1alpha1.LevelPool
	}
	s.Nodes, s.ReadyNodes = int32(v.Nodes), int32(v.ReadyNodes)
	scale := translate.WeightScale(pool.Spec.Accelerators)
	s.Accelerators = v1alpha1.AcceleratorCount{Total: pieces(v.Total, scale), Free: pieces(v.Free, scale)}
	s.LargestSlot = pieces(v.LargestSlot, scale)
	s.Fragmentation = share(v.Stranded, v.Idle)
	s.Health = health(v)
}

func health(v engine.DomainView) v1alpha1.DomainHealth {
	switch {
	case v.Nodes == 0:
		return v1alpha1.DomainEmpty
	case v.Cordoned:
		return v1alpha1.DomainCordoned
	case v.ReadyNodes == 0:
		return v1alpha1.DomainUnhealthy
	case v.ReadyNodes < v.Nodes:
		return v1alpha1.DomainDegraded
	default:
		return v1alpha1.DomainHealthy
	}
}

// share writes a part of a whole with three decimals, rounded down.
func share(part, whole int64) string {
	if whole == 0 {
		return "0.000"
	}
	milli := part * 1000 / whole
	return fmt.Sprintf("%d.%03d", milli/1000, milli%1000)
}

// pieces is so many accelerators, counted by the engine in parts of 1/scale.
func pieces(n, scale int64) resource.Quantity { return translate.FromMilli(n * 1000 / scale) }
