package translate

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// most bounds every amount of a quota, so that a few of them can be added up.
const most = math.MaxInt64 / 64

// Quota converts a quota; its amounts are in thousandths.
func Quota(q *v1alpha1.Quota) engine.Quota {
	out := engine.Quota{Team: q.Spec.Team}
	if q.Spec.MinRuntime != nil {
		out.MinRuntime = int64(q.Spec.MinRuntime.Duration)
	}
	for _, r := range q.Spec.Resources {
		out.Entries = append(out.Entries, engine.Entitlement{
			Pool: r.Pool, Resource: r.Resource, Guaranteed: bounded(r.Guaranteed), Limit: optional(r.Limit),
			Lendable: optional(r.Lendable),
		})
	}
	return out
}

func bounded(q resource.Quantity) int64 { return max(0, min(Milli(q), most)) }

// optional is [engine.Unlimited] where nothing is given.
func optional(q *resource.Quantity) int64 {
	if q == nil {
		return engine.Unlimited
	}
	return bounded(*q)
}
