package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// TestThePlanIsTheOneThatTryingAllFinds compares, in full pools of up to four racks of four nodes, the plan for one gang
// with the oracle's: it exists whenever there is one, with the very victims that are the cheapest by P3, none too many.
func TestThePlanIsTheOneThatTryingAllFinds(t *testing.T) {
	cfg := engine.DefaultConfig()
	cfg.SearchBudget, cfg.PlanBudget, cfg.MovesPerHour = 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := drawFullPool(t)
		g := drawGang(t, r, "want", profile{roles: true})
		g.Pool, g.Queued = "p0", r.now
		if !hasLevels(r.pools["p0"], g) {
			t.Skip("a level that the pool has not")
		}
		r.gangs[g.ID] = g
		s := engine.New(cfg)
		r.tell(s, false)
		var got []string
		for _, d := range s.Decide(r.now) {
			switch {
			case d.Gang == g.ID && d.Kind == engine.Admit:
				t.Skip("it fits as it is")
			case d.Kind == engine.Plan:
				for _, v := range d.Victims {
					got = append(got, v.Gang)
				}
			}
		}
		o := newPlanOracle(r, g.ID, "p0")
		if o.makesRoom(nil, g.Required) {
			t.Fatalf("%s fits, and is not admitted", g.ID)
		}
		if want := o.solve(); !slices.Equal(got, want.names()) && !o.asCheap(got, want) {
			t.Fatalf("%s (tier %s) asks for %s: victims %v, want %s, of\n%s", g.ID, g.Tier, asked(g), got, want, r.written())
		}
	})
}

// drawFullPool draws a pool with gangs all over it.
func drawFullPool(t *rapid.T) *records {
	r := newRecords()
	r.now = 10 * hour
	r.pools["p0"] = engine.Pool{
		Name: "p0", Accelerators: []engine.Accelerator{{Resource: gpu, Weight: 1}},
		Selector: engine.Selector{{{Key: "pool", Operator: engine.In, Values: []string{"p0"}}}},
		Levels:   []engine.Level{{Name: "rack", Label: "rack"}},
	}
	perRack, gpus := rapid.IntRange(1, 4).Draw(t, "nodes a rack"), pick(t, "gpus a node", int64(2), 4, 8)
	for i := range perRack * rapid.IntRange(1, 4).Draw(t, "racks") {
		n := engine.Node{
			Name: fmt.Sprintf("n%02d", i), Ready: true, Allocatable: engine.Amounts{gpu: gpus, "cpu": 64_000, "pods": 100},
			Labels: map[string]string{"pool": "p0", "rack": fmt.Sprintf("r%d", i/perRack), "kind": "a"},
		}
		r.nodes[n.Name] = n
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "teams") {
		team := engine.Team{Name: fmt.Sprintf("t%d", i), Weight: int64(pick(t, "weight", 1, 1, 2))}
		if i > 0 && chance(t, 40, "nested") {
			team.Parent = fmt.Sprintf("t%d", rapid.IntRange(0, i-1).Draw(t, "parent"))
		}
		r.teams[team.Name] = team
		r.quotas[team.Name] = drawQuota(t, r, team.Name, profile{limits: true, lending: true, young: true})
	}
	for i := range rapid.IntRange(1, 9).Draw(t, "running") {
		runSomewhere(t, r, i)
	}
	return r
}

// runSomewhere draws a running gang onto nodes that have room for it.
func runSomewhere(t *rapid.T, r *records, i int) {
	g := drawGang(t, r, fmt.Sprintf("g%d", i), profile{})
	g.Queued, g.MaxRuntime = r.now-9*hour, 0
	g.Required, g.Preferred, g.Pool = "", "", "p0"
	free := r.free("p0", func(engine.Gang, *engine.Berth) bool { return true })
	var nodes []string
	for range g.Roles[0].Count {
		at := slices.DeleteFunc(sortedKeys(free), func(n string) bool { return !holds(free[n], g.Roles[0].Pod.Requests) })
		if len(at) == 0 {
			return
		}
		node := pick(t, "node", at...)
		take(free[node], g.Roles[0].Pod.Requests)
		nodes = append(nodes, node)
	}
	slices.Sort(nodes)
	g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Started: r.now - pick(t, "runs for", int64(1), 5, 20, 50, 90)*minute}
	g.Berth.Since = g.Berth.Started
	g.Berth.Slot = engine.Slot{Pool: "p0", Roles: []engine.RoleSlot{{Role: "worker", Nodes: nodes}}}
	if chance(t, 40, "published") {
		g.Published, g.LastCheckpoint = true, r.now-pick(t, "saved before", int64(1), 3, 30)*minute
	}
	r.gangs[g.ID] = g
}

// written puts teams and running gangs into lines.
func (r *records) written() string {
	var b strings.Builder
	m := newModel(r)
	at := pair{"p0", gpu}
	for _, name := range sortedKeys(m.teams) {
		fmt.Fprintf(&b, "%s below %q weight %d uses %d of %d, quota %+v\n", name, m.teams[name].Parent, m.teams[name].Weight,
			m.used[name][at], m.guarantee(name, at), m.quotas[name])
	}
	for _, id := range sortedKeys(r.gangs) {
		if g := r.gangs[id]; g.Berth != nil {
			fmt.Fprintf(&b, "%s tier %s, %v on %v, ran %dm, saved %v\n", id, g.Tier, g.Roles[0].Pod.Requests,
				g.Berth.Slot.Roles[0].Nodes, (r.now-g.Berth.Started)/minute, g.Published)
		}
	}
	return b.String()
}
