package engine_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// profile says what a drawn world may contain.
type profile struct {
	pools, teams, nodes int
	// mixed nodes have different allocatables, taints and labels.
	mixed bool
	// elastic gangs may be drawn; endless ones have no maxRuntime.
	elastic, endless bool
	// limits, lending and minRuntimes may be set.
	limits, lending, young bool
	// nested teams have parents.
	nested bool
	// roles of more than one pod shape and groups may be drawn.
	roles bool
}

var everything = profile{
	pools: 2, teams: 5, nodes: 8, mixed: true, elastic: true, endless: true, limits: true, lending: true, young: true, nested: true,
	roles: true,
}

func chance(t *rapid.T, percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(t, label) < percent
}

func pick[V any](t *rapid.T, label string, from ...V) V {
	return rapid.SampledFrom(from).Draw(t, label)
}

// drawRecords draws pools with their nodes, and teams with their quotas.
func drawRecords(t *rapid.T, f profile) *records {
	r := newRecords()
	for i := range rapid.IntRange(1, f.pools).Draw(t, "pools") {
		drawPool(t, r, fmt.Sprintf("p%d", i), f)
	}
	names := []string{}
	for i := range rapid.IntRange(2, f.teams).Draw(t, "teams") {
		name := fmt.Sprintf("t%d", i)
		team := engine.Team{Name: name, Weight: int64(pick(t, "weight", 1, 1, 2, 3))}
		if f.nested && len(names) > 0 && chance(t, 60, "nested") {
			team.Parent = pick(t, "parent", names...)
		}
		names = append(names, name)
		r.teams[name] = team
		if i == 0 || chance(t, 85, "has a quota") {
			r.quotas[name] = drawQuota(t, r, name, f)
		}
	}
	return r
}

func drawPool(t *rapid.T, r *records, name string, f profile) {
	p := engine.Pool{
		Name: name, Created: engine.Time(len(r.pools) + 1), Accelerators: []engine.Accelerator{{Resource: gpu, Weight: 1}},
		Selector: engine.Selector{{{Key: "pool", Operator: engine.In, Values: []string{name}}}},
	}
	levels := []string{"spine", "rack", "nvlink"}
	for _, l := range levels[rapid.IntRange(0, 2).Draw(t, "outermost"):] {
		p.Levels = append(p.Levels, engine.Level{Name: l, Label: l})
	}
	r.pools[name] = p
	perRack, perDomain := pick(t, "nodes a rack", 2, 3, 4), pick(t, "nodes a domain", 1, 2)
	gpus := pick(t, "gpus a node", int64(1), 2, 4, 8)
	for i := range rapid.IntRange(2, f.nodes).Draw(t, "nodes") {
		n := engine.Node{
			Name: fmt.Sprintf("%s-n%d", name, i), Ready: true, Allocatable: engine.Amounts{gpu: gpus, "cpu": 16_000, "pods": 20},
			Labels: map[string]string{
				"pool": name, "spine": fmt.Sprintf("s%d", i/(2*perRack)), "rack": fmt.Sprintf("r%d", i/perRack%2),
				"nvlink": fmt.Sprintf("v%d", i/perDomain), "kind": "a",
			},
		}
		if len(p.Levels) < 3 {
			n.Labels["rack"] = fmt.Sprintf("r%d", i/perRack)
		}
		if f.mixed {
			drawOddities(t, &n)
		}
		r.nodes[n.Name] = n
	}
}

func drawOddities(t *rapid.T, n *engine.Node) {
	switch rapid.IntRange(0, 9).Draw(t, "oddity") {
	case 0:
		n.Allocatable["cpu"] = 4_000
	case 1:
		n.Allocatable[gpu]++
	case 2:
		n.Labels["kind"] = "b"
	case 3:
		n.Taints = []engine.Taint{{Key: "special", Value: "yes", Effect: "NoSchedule"}}
	case 4:
		n.System = engine.Amounts{"cpu": 2_000, "pods": 2}
	}
}

// drawQuota draws entries for the accelerators of some pools, and now and then for CPU.
func drawQuota(t *rapid.T, r *records, team string, f profile) engine.Quota {
	q := engine.Quota{Team: team}
	for _, pool := range sortedKeys(r.pools) {
		if len(r.pools) > 1 && chance(t, 30, "no entry for "+pool) {
			continue
		}
		total := r.total(pool, gpu)
		e := engine.Entitlement{Pool: pool, Resource: gpu, Limit: engine.Unlimited, Lendable: engine.Unlimited}
		e.Guaranteed = 1000 * int64(rapid.IntRange(0, int(total)).Draw(t, "guaranteed"))
		if f.limits && chance(t, 25, "limited") {
			e.Limit = e.Guaranteed + 1000*int64(rapid.IntRange(0, int(total)/2).Draw(t, "above"))
		}
		if f.lending && chance(t, 15, "lends not all") {
			e.Lendable = 1000 * int64(rapid.IntRange(0, int(e.Guaranteed/1000)).Draw(t, "lendable"))
		}
		q.Entries = append(q.Entries, e)
		if f.limits && chance(t, 10, "cpu is limited") {
			q.Entries = append(q.Entries, engine.Entitlement{
				Pool: pool, Resource: "cpu", Guaranteed: 0, Limit: 1000 * int64(rapid.IntRange(4, 40).Draw(t, "cpus")), Lendable: engine.Unlimited,
			})
		}
	}
	if f.young && chance(t, 20, "minRuntime") {
		q.MinRuntime = 10 * minute
	}
	return q
}

// total returns how much of a resource a pool's registered nodes have.
func (r *records) total(pool, resource string) (sum int64) {
	for _, n := range r.nodes {
		if r.poolOf(n) == pool {
			sum += n.Allocatable[resource]
		}
	}
	return sum
}

// drawGang draws a gang that asks for little of what the pools have.
func drawGang(t *rapid.T, r *records, name string, f profile) engine.Gang {
	team := pick(t, "team", sortedKeys(r.teams)...)
	g := engine.Gang{
		ID: team + "/" + name, Team: team, Tier: engine.Tier(rapid.IntRange(0, 2).Draw(t, "tier")),
		Priority: pick(t, "priority", int32(0), 0, 0, 1), Grace: pick(t, "grace", minute, 5*minute),
		Policy: engine.Policy(rapid.IntRange(0, 1).Draw(t, "policy")), Checkpoints: chance(t, 60, "checkpoints"),
		Answers: chance(t, 50, "answers"), Evictable: chance(t, 15, "evictable"),
		MaxRuntime: pick(t, "maxRuntime", 20*minute, hour, 3*hour),
	}
	if f.endless && chance(t, 30, "endless") {
		g.MaxRuntime = 0
	}
	if chance(t, 60, "pool named") {
		g.Pool = pick(t, "pool", sortedKeys(r.pools)...)
	}
	p := r.pools[pick(t, "levels of", sortedKeys(r.pools)...)]
	if g.Pool != "" {
		p = r.pools[g.Pool]
	}
	levels := []string{"", "", engine.NodeLevel}
	for _, l := range p.Levels {
		levels = append(levels, l.Name)
	}
	g.Required, g.Preferred = pick(t, "required", levels...), pick(t, "preferred", levels...)
	g.Roles = []engine.Role{drawRole(t, "worker", levels, f)}
	if f.roles && chance(t, 20, "launcher") {
		launchers := 1
		if f.elastic {
			launchers = pick(t, "launchers", 1, 1, 2)
		}
		g.Roles = append(g.Roles, engine.Role{Name: "launcher", Count: launchers, Floor: 1, Pod: engine.Pod{Requests: engine.Amounts{"cpu": 4_000, "pods": 1}}})
	}
	return g
}

func drawRole(t *rapid.T, name string, levels []string, f profile) engine.Role {
	role := engine.Role{Name: name, Count: pick(t, "count", 1, 1, 2, 2, 3, 4, 6)}
	role.Pod.Requests = engine.Amounts{gpu: pick(t, "gpus", int64(1), 1, 2, 4, 8), "pods": 1}
	if chance(t, 40, "asks for cpu") {
		role.Pod.Requests["cpu"] = pick(t, "cpu", int64(1_000), 2_000, 5_000)
	}
	if f.mixed && chance(t, 10, "selector") {
		role.Pod.Selector = engine.Selector{{{Key: "kind", Operator: pick(t, "operator", engine.In, engine.NotIn), Values: []string{"b"}}}}
	}
	if f.mixed && chance(t, 20, "tolerates") {
		role.Pod.Tolerations = []engine.Toleration{{Key: "special", Operator: "Exists"}}
	}
	if f.roles && role.Count%2 == 0 && chance(t, 40, "groups") {
		role.Groups = []engine.Group{{Size: 2, Level: pick(t, "group level", levels[2:]...)}}
		if role.Count == 4 && chance(t, 50, "one group") {
			role.Groups[0].Size = 4
			role.Groups = append(role.Groups, engine.Group{Size: 2, Level: engine.NodeLevel})
		}
	}
	if f.elastic && chance(t, 25, "elastic") {
		step := 1
		if len(role.Groups) > 0 {
			step = role.Groups[0].Size
		}
		role.Floor = step * rapid.IntRange(1, role.Count/step).Draw(t, "floor")
	}
	return role
}
