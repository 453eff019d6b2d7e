package simulate

import "github.com/berth-dev/berth/internal/translate"

// countSubject counts gangs by phase and namespace.
type countSubject struct {
	phases    phases
	namespace string
	want      bounds
}

func (s countSubject) look(r *run) (finding, bool) {
	var n int64
	for _, p := range s.phases {
		n += r.counts.of(p, s.namespace)
	}
	return found("%d", n), s.want.hold(float64(n))
}

// usageSubject looks at what a team uses, in thousandths.
type usageSubject struct {
	team, pool, resource string
	is, min, max         *int64
}

func (s usageSubject) look(r *run) (finding, bool) {
	used := r.s.Usage(s.team, s.pool, s.resource).Used
	quantity := translate.FromMilli(used)
	return quantity.String, (s.is == nil || used == *s.is) && (s.min == nil || used >= *s.min) && (s.max == nil || used <= *s.max)
}

// summarySubject looks at the numbers of the run so far.
type summarySubject summarySpec

func (s summarySubject) look(r *run) (finding, bool) {
	n := r.metrics.numbers()
	for _, c := range []struct {
		name  string
		want  *bounds
		value float64
	}{
		{"preemptions", s.Preemptions, float64(n.Preemptions)},
		{"lostGPUHours", s.LostGPUHours, n.LostGPUHours},
		{"utilization", s.Utilization, n.Utilization},
		{"fragmentation", s.Fragmentation, n.Fragmentation},
	} {
		if c.want != nil && !c.want.hold(c.value) {
			return found("%s %g", c.name, c.value), false
		}
	}
	return nil, true
}
