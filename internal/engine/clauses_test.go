package engine_test

import (
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

// below adds a team under another, with a guarantee of whole accelerators.
func (w *world) below(parent, name string, guaranteed int64) {
	w.team(name, guaranteed)
	w.state.SetTeam(engine.Team{Name: name, Parent: parent, Weight: 1})
}

func TestWhoCouldEvictTheGangAtOnceIsTriedForTheRoomFirst(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("a", 8)
	w.below("a", "a1", 8)
	w.below("a", "a2", 0)
	w.team("b", 0)
	w.submit(gang("a2", "borrows", engine.Batch, 1, 8))
	w.decide()
	w.submit(gang("b", "older", engine.Batch, 1, 8))
	w.now += minute
	w.submit(gang("a1", "younger", engine.Batch, 1, 8))
	w.decide()
	// Seen from the root b/older comes first, but a1/younger would take the room back at once.
	w.wantLog("Admit a2/borrows n0", "Admit a1/younger n1")
}

func TestWhoLeavesTheGuaranteeWholeIsCountedOutBeforeWhoStraddlesIt(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("v", 4)
	w.team("t", 8)
	w.state.SetForeign(engine.Foreign{Name: "foreign/all", Node: "n1", Requests: engine.Amounts{gpu: 8}})
	w.submit(gang("v", "a", engine.Batch, 1, 6))
	w.submit(gang("v", "b", engine.Batch, 1, 2))
	w.decide()
	w.now += minute
	w.submit(gang("t", "want", engine.Batch, 1, 8))
	w.decide()
	// Without v/a, of 6, team v is below its guarantee of 4 already, and v/b no longer to be had.
	w.wantLog("Admit v/a n0", "Admit v/b n0", "Plan t/want n0", "Evict v/a", "Evict v/b")
}

func TestNobodyIsEvictedWhoCouldEvictTheGangInTurn(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	small := node(1, 2)
	small.Allocatable["cpu"] = 8_000
	w.state.SetNode(small)
	w.team("p", 1)
	w.below("p", "p1", 1)
	w.below("p", "p2", 0)
	w.state.SetTeam(engine.Team{Name: "p2", Parent: "p", Weight: 100}) // inside p it is p1 that has the larger share
	w.team("b", 0)
	w.state.SetForeign(engine.Foreign{Name: "foreign/half", Node: "n1", Requests: engine.Amounts{gpu: 4}})
	w.submit(gang("p2", "large", engine.Batch, 1, 8))
	w.submit(gang("b", "victim", engine.Batch, 1, 4))
	w.decide()
	w.now += minute
	full := node(0, 2)
	full.Cordoned = true
	w.state.SetNode(full)
	// Where it would go the gang strands two accelerators, one more than its team is guaranteed; all of p then has the
	// larger share, and b/victim would be back.
	want := gang("p1", "want", engine.Batch, 1, 1)
	want.Roles[0].Pod.Requests["cpu"] = 2_000
	w.submit(want)
	w.decide()
	w.wantLog("Admit b/victim n1", "Admit p2/large n0")
}

func TestWorkAtStakeCountsForNoMoreThanTheCap(t *testing.T) {
	w := newWorld(t, 2, 2, engine.DefaultConfig())
	w.team("a", 0)
	w.team("b", 8)
	for _, name := range []string{"a", "b"} {
		g := gang("a", name, engine.Batch, 1, 8)
		g.Published = true // in an earlier attempt
		w.submit(g)
		w.decide()
		w.now += 90 * minute
	}
	w.submit(gang("b", "want", engine.Batch, 1, 8))
	w.decide()
	// Three hours and one and a half count as one each: the names decide.
	w.wantLog("Admit a/a n0", "Admit a/b n1", "Plan b/want n0", "Evict a/a")
}

func TestAPlanKeepsNoVictimThatIsNotNeededHoweverShortTheSearch(t *testing.T) {
	cfg := engine.DefaultConfig()
	cfg.PlanBudget = 1
	w := newWorld(t, 3, 3, cfg)
	w.team("a", 0)
	w.team("b", 24)
	w.state.SetForeign(engine.Foreign{Name: "foreign/most", Node: "n0", Requests: engine.Amounts{gpu: 7}})
	for _, v := range []struct {
		name string
		gpus int64
		node string
		ran  int64
	}{
		{"small", 1, "n0", 1 * minute}, {"part", 6, "n1", 2 * minute}, {"dear", 2, "n1", 50 * minute}, {"whole", 8, "n2", 3 * minute},
	} {
		g := gang("a", v.name, engine.Batch, 1, v.gpus)
		g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Started: w.now - v.ran, Slot: engine.Slot{
			Pool: "h100", Level: engine.NodeLevel, Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{v.node}}},
		}}
		w.set(g)
	}
	w.submit(gang("b", "want", engine.Batch, 2, 6))
	w.decide()
	w.wantLog("Plan b/want n1,n2", "Evict a/part", "Evict a/whole")
}
