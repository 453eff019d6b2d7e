package summary

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// maxResources is how many pairs of pool and resource a status holds.
const maxResources = 64

// Usage is a team's usage as a status holds it: the first by pool and resource, if there are too many.
func Usage(list []state.Entitled) []v1alpha1.ResourceUsage {
	out := make([]v1alpha1.ResourceUsage, 0, len(list))
	for _, e := range list[:min(len(list), maxResources)] {
		u := v1alpha1.ResourceUsage{
			Pool: e.Pool, Resource: e.Resource, Guaranteed: translate.FromMilli(e.Guaranteed), Used: translate.FromMilli(e.Used),
			Borrowed: translate.FromMilli(e.Borrowed), Lent: translate.FromMilli(e.Lent),
		}
		if e.Limit != engine.Unlimited {
			limit := translate.FromMilli(e.Limit)
			u.Limit = &limit
		}
		out = append(out, u)
	}
	return out
}

// Accelerators sums a team's accelerators over all pools. Weights gives the weights of a pool's accelerators in
// thousandths.
func Accelerators(list []state.Entitled, weights func(pool string) map[string]int64) v1alpha1.AcceleratorUsage {
	var sum engine.Usage
	for _, e := range list {
		w := weights(e.Pool)[e.Resource]
		sum.Guaranteed += e.Guaranteed * w / 1000
		sum.Used += e.Used * w / 1000
		sum.Borrowed += e.Borrowed * w / 1000
		sum.Lent += e.Lent * w / 1000
	}
	return v1alpha1.AcceleratorUsage{
		Guaranteed: milli(sum.Guaranteed), Used: milli(sum.Used), Borrowed: milli(sum.Borrowed), Lent: milli(sum.Lent),
	}
}

func milli(m int64) resource.Quantity { return translate.FromMilli(m) }
