package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/internal/engine"
)

// loopAfter is how often a gang is evicted, while nothing but the engine changes anything, before that is a loop.
const loopAfter = 3

// check holds what this instant brought against what must always hold.
func (r *run) check() {
	slices.Sort(r.ledger.broken)
	for _, what := range r.ledger.broken {
		r.fail(0, fmt.Sprintf("at %s %s", since(r.now), what))
	}
	r.ledger.broken = r.ledger.broken[:0]
	for _, g := range r.started {
		if !g.occupies() {
			continue
		}
		checks := []func(*gang) string{r.partial, r.scattered, r.aboveLimit}
		if r.options.Blind {
			checks = checks[:1]
		}
		for _, check := range checks {
			if wrong := check(g); wrong != "" {
				r.fail(0, fmt.Sprintf("at %s %s %s", since(r.now), g.ID, wrong))
				break
			}
		}
	}
	for _, id := range r.loops {
		r.fail(0, fmt.Sprintf("at %s %s was evicted %d times though nothing but evictions and admissions happened meanwhile: a loop",
			since(r.now), id, loopAfter))
	}
	r.loops = r.loops[:0]
}

// partial tells what a gang's slot lacks.
func (r *run) partial(g *gang) string {
	slot := g.Berth.Slot
	for _, role := range g.Roles {
		have := 0
		for _, part := range slot.Roles {
			if part.Role == role.Name {
				have = len(part.Nodes)
			}
		}
		floor := role.Floor
		if floor == 0 {
			floor = role.Count
		}
		if have < floor || have > role.Count {
			return fmt.Sprintf("holds %d pods of role %s, want %d to %d", have, role.Name, floor, role.Count)
		}
	}
	for _, node := range g.nodes {
		if r.ledger.nodes[node] == nil {
			return fmt.Sprintf("holds node %s, which does not exist", node)
		}
	}
	return ""
}

// scattered tells where a gang's slot breaks the level it requires or a group.
func (r *run) scattered(g *gang) string {
	pool := r.pools[g.Berth.Slot.Pool]
	if g.Required != "" {
		if domains := r.domains(pool, g.Required, g.nodes); len(domains) != 1 {
			return fmt.Sprintf("requires one %s and holds nodes in %d: %s", g.Required, len(domains), strings.Join(domains, ", "))
		}
	}
	for _, part := range g.Berth.Slot.Roles {
		role := roleNamed(g.Roles, part.Role)
		if role == nil {
			continue
		}
		for _, group := range role.Groups {
			for first := 0; first < len(part.Nodes); first += max(group.Size, 1) {
				last := min(first+max(group.Size, 1), len(part.Nodes))
				if domains := r.domains(pool, group.Level, distinct(part.Nodes[first:last])); len(domains) != 1 {
					return fmt.Sprintf("requires one %s for ranks %d to %d of role %s and holds nodes in %s",
						group.Level, first, last-1, role.Name, strings.Join(domains, ", "))
				}
			}
		}
	}
	return ""
}

// domains lists the domains of a level in which nodes are, as paths of label values.
func (r *run) domains(pool engine.Pool, level string, nodes []string) []string {
	if level == engine.NodeLevel {
		return nodes
	}
	paths := make([]string, 0, len(nodes))
	for _, node := range nodes {
		var path []string
		for _, l := range pool.Levels {
			path = append(path, r.ledger.nodes[node].Labels[l.Label])
			if l.Name == level {
				break
			}
		}
		paths = append(paths, strings.Join(path, "/"))
	}
	return distinct(paths)
}

// aboveLimit tells which team a gang's start has put above its limit.
func (r *run) aboveLimit(g *gang) string {
	for name, steps := g.Team, 0; name != "" && steps <= len(r.owners.teams); steps++ {
		o := r.owners.teams[name]
		if o == nil {
			break
		}
		for _, entry := range o.limits {
			if entry.Pool != g.Berth.Slot.Pool || entry.Limit == engine.Unlimited {
				continue
			}
			used := r.s.Usage(name, entry.Pool, entry.Resource).Used
			if used <= entry.Limit {
				delete(r.lowered, entitlementOf{name, entry.Pool, entry.Resource})
			} else if !r.lowered[entitlementOf{name, entry.Pool, entry.Resource}] {
				return fmt.Sprintf("puts team %s at %g %s of pool %s, above its limit of %g",
					name, float64(used)/1000, entry.Resource, entry.Pool, float64(entry.Limit)/1000)
			}
		}
		name = o.parent
	}
	return ""
}

// atRest is how many times farther than during the run the engine searches for what it has missed.
const atRest = 10

// finish checks what must hold at rest: the scheduler, told everything anew and searching farther, finds nothing more to do
// for a gang that waits, unless it is the same eviction by fairness once more.
func (r *run) finish() {
	if r.options.Scheduler != nil || len(r.loops) > 0 {
		return
	}
	config := r.in.Config
	config.SearchBudget, config.PlanBudget = atRest*config.SearchBudget, atRest*config.PlanBudget
	fresh := engine.New(config)
	r.retell(fresh)
	decisions := fresh.Decide(r.now)
	for _, d := range decisions {
		if d.Kind == engine.Admit || d.Kind == engine.Plan && !r.again(d.Gang, decisions) {
			r.fail(0, fmt.Sprintf("at rest %s waits, though it would get %s by %s", d.Gang, brief(d.Slot), d.Kind))
		}
	}
}

// again tells whether a gang would have another leave by fairness that has left for it since anything came from outside.
func (r *run) again(id string, decisions []engine.Decision) bool {
	return slices.ContainsFunc(decisions, func(d engine.Decision) bool {
		at, before := r.evened[eviction{id, d.Gang}]
		return d.For == id && d.Rule == engine.ByFairness && before && at == r.stretch
	})
}
