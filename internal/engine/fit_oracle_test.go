package engine_test

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/internal/engine"
)

// fit tries every way to put a gang into what is free, group by group and pod by pod, with nothing of the engine's search.
// It is meant for small pools.
type fit struct {
	r    *records
	pool engine.Pool
	free map[string]engine.Amounts
}

// fits tells whether the floor of a gang fits into one domain of a level of a pool.
func (r *records) fits(g engine.Gang, pool, level string, free map[string]engine.Amounts) bool {
	return slices.Contains(r.fitsWhere(g, pool, level, free), true)
}

// fitsWhere tells for each domain of a level, by the names of their first nodes, whether the floor of a gang fits there.
func (r *records) fitsWhere(g engine.Gang, pool, level string, free map[string]engine.Amounts) (out []bool) {
	f := &fit{r: r, pool: r.pools[pool], free: map[string]engine.Amounts{}}
	for name, amounts := range free {
		f.free[name] = maps.Clone(amounts)
	}
	for _, nodes := range f.domains(slices.Sorted(maps.Keys(free)), level) {
		out = append(out, f.roles(g.Roles, nodes))
	}
	return out
}

// domains splits nodes by their domain of a level.
func (f *fit) domains(nodes []string, level string) [][]string {
	n := depth(f.pool, level)
	var out [][]string
next:
	for _, node := range nodes {
		for i, other := range out {
			if slices.Equal(f.r.path(f.r.nodes[other[0]])[:n], f.r.path(f.r.nodes[node])[:n]) {
				out[i] = append(out[i], node)
				continue next
			}
		}
		out = append(out, []string{node})
	}
	return out
}

// roles puts all roles into nodes, one after the other.
func (f *fit) roles(roles []engine.Role, nodes []string) bool {
	if len(roles) == 0 {
		return true
	}
	return f.groups(roles[0].Pod, floor(roles[0]), roles[0].Groups, nodes, func() bool { return f.roles(roles[1:], nodes) })
}

// groups puts count pods into nodes, each outermost group into one domain of its level, and then goes on.
func (f *fit) groups(pod engine.Pod, count int, groups []engine.Group, nodes []string, then func() bool) bool {
	if len(groups) == 0 {
		return f.pods(pod, count, nodes, then)
	}
	domains := f.domains(nodes, groups[0].Level)
	var place func(left, from int) bool
	place = func(left, from int) bool {
		if left == 0 {
			return then()
		}
		for i := from; i < len(domains); i++ {
			if f.groups(pod, groups[0].Size, groups[1:], domains[i], func() bool { return place(left-1, i) }) {
				return true
			}
		}
		return false
	}
	return place(count/groups[0].Size, 0)
}

// pods puts count like pods onto nodes, as many as possible onto the first, then fewer, and then goes on.
func (f *fit) pods(pod engine.Pod, count int, nodes []string, then func() bool) bool {
	if count == 0 {
		return then()
	}
	if len(nodes) == 0 {
		return false
	}
	free := f.free[nodes[0]]
	placed := 0
	for placed < count && matches(f.r.nodes[nodes[0]], pod) && holds(free, pod.Requests) {
		take(free, pod.Requests)
		placed++
	}
	for ; ; placed-- {
		if f.pods(pod, count-placed, nodes[1:], then) {
			for range placed {
				give(free, pod.Requests)
			}
			return true
		}
		if placed == 0 {
			return false
		}
		give(free, pod.Requests)
	}
}

func holds(free, asked engine.Amounts) bool {
	for k, q := range asked {
		if q > 0 && free[k] < q {
			return false
		}
	}
	return true
}
