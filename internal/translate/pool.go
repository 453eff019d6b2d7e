package translate

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/presets"
)

// Pool converts a root TopologyDomain. Weights are integers to the engine; see [WeightScale].
func Pool(d *v1alpha1.TopologyDomain) engine.Pool {
	p := engine.Pool{
		Name: d.Name, Created: Instant(&d.CreationTimestamp), Selector: labelSelector(d.Spec.NodeSelector),
		Accelerators: accelerators(d.Spec.Accelerators), Levels: levels(d),
	}
	if d.Spec.NodeLink != nil {
		p.NodeLink = link(d.Spec.NodeLink)
	}
	return p
}

// Cordons lists the cordoned domains of a pool, as paths, from all TopologyDomains: the pool's own has an empty path.
func Cordons(pool string, domains []*v1alpha1.TopologyDomain) [][]string {
	var paths [][]string
	for _, d := range domains {
		switch {
		case !d.Spec.Cordoned:
		case d.IsPool() && d.Name == pool:
			paths = append(paths, []string{})
		case d.Spec.Pool == pool:
			paths = append(paths, d.Spec.Path)
		}
	}
	return paths
}

// WeightScale is by how much the engine's sums over a pool's accelerators are larger than the pool's weights make them: 1
// where all weights are whole, 1000 where one is not.
func WeightScale(list []v1alpha1.Accelerator) int64 {
	for _, a := range list {
		if Milli(a.Weight)%1000 != 0 {
			return 1000
		}
	}
	return 1
}

func accelerators(list []v1alpha1.Accelerator) []engine.Accelerator {
	if len(list) == 0 {
		return []engine.Accelerator{{Resource: v1alpha1.DefaultAccelerator, Weight: 1}}
	}
	scale := WeightScale(list)
	out := make([]engine.Accelerator, 0, len(list))
	for _, a := range list {
		out = append(out, engine.Accelerator{Resource: a.Resource, Weight: weight(a.Weight, scale)})
	}
	return out
}

func weight(q resource.Quantity, scale int64) int64 {
	if q.IsZero() {
		return scale
	}
	return max(1, Milli(q)*scale/1000)
}

func levels(d *v1alpha1.TopologyDomain) []engine.Level {
	var out []engine.Level
	for _, l := range presets.Levels(d) {
		level := engine.Level{Name: l.Name, Label: l.NodeLabel}
		if l.Link != nil {
			level.Link = link(l.Link)
		}
		out = append(out, level)
	}
	return out
}

func link(l *v1alpha1.Link) engine.Link {
	out := engine.Link{Bandwidth: l.Bandwidth.Value()}
	if l.Latency != nil {
		out.Latency = int64(l.Latency.Duration)
	}
	return out
}
