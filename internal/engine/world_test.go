package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

const (
	gpu    = "nvidia.com/gpu"
	second = int64(1e9)
	minute = 60 * second
	hour   = 60 * minute
)

// world is a state with a clock, played as a caller would: what is decided takes effect at once, and victims leave when
// the test says so.
type world struct {
	t     *testing.T
	state *engine.State
	now   engine.Time
	gangs map[string]engine.Gang
	log   []string
}

// newWorld returns a world with one pool, h100, of nodes n0.. with eight accelerators, perRack to a rack.
func newWorld(t *testing.T, nodes, perRack int, cfg engine.Config) *world {
	t.Helper()
	w := &world{t: t, state: engine.New(cfg), now: hour, gangs: map[string]engine.Gang{}}
	w.state.SetPool(engine.Pool{
		Name: "h100", Accelerators: []engine.Accelerator{{Resource: gpu, Weight: 1}},
		Levels: []engine.Level{{Name: "rack", Label: "rack"}},
	})
	for i := range nodes {
		w.state.SetNode(node(i, perRack))
	}
	return w
}

func node(i, perRack int) engine.Node {
	return engine.Node{
		Name: fmt.Sprintf("n%d", i), Labels: map[string]string{"rack": fmt.Sprintf("r%d", i/perRack)}, Ready: true,
		Allocatable: engine.Amounts{gpu: 8, "cpu": 96_000, "pods": 110},
	}
}

// team adds a team of its own name with a guarantee of whole accelerators.
func (w *world) team(name string, guaranteed int64) {
	w.state.SetTeam(engine.Team{Name: name, Weight: 1})
	w.state.SetQuota(engine.Quota{Team: name, Entries: []engine.Entitlement{
		{Pool: "h100", Resource: gpu, Guaranteed: 1000 * guaranteed, Limit: engine.Unlimited, Lendable: engine.Unlimited},
	}})
}

// gang returns a gang team/name of one role.
func gang(team, name string, tier engine.Tier, replicas int, gpus int64) engine.Gang {
	return engine.Gang{
		ID: team + "/" + name, Team: team, Tier: tier, Grace: minute, Checkpoints: true,
		Roles: []engine.Role{{Name: "worker", Count: replicas, Pod: engine.Pod{Requests: engine.Amounts{gpu: gpus, "pods": 1}}}},
	}
}

// submit makes a gang pending since now.
func (w *world) submit(g engine.Gang) {
	g.Queued = w.now
	w.gangs[g.ID] = g
	w.state.SetGang(g)
}

// decide lets the engine decide until nothing changes, and carries out what it says.
func (w *world) decide() {
	for range 100 {
		decisions := w.state.Decide(w.now)
		if len(decisions) == 0 {
			return
		}
		for _, d := range decisions {
			w.carryOut(d)
		}
	}
	w.t.Fatalf("the engine decides for ever, lastly %v", w.log[len(w.log)-5:])
}

func (w *world) carryOut(d engine.Decision) {
	g := w.gangs[d.Gang]
	switch d.Kind {
	case engine.Admit, engine.Replace:
		g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Slot: d.Slot, Since: w.now, Started: w.now}
	case engine.Plan:
		g.Berth = &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: w.now, Victims: d.Victims}
	case engine.Promise:
		g.Berth = &engine.Berth{State: engine.Future, Slot: d.Slot, Since: w.now, NotBefore: d.At, Basis: d.Basis}
	case engine.Evict, engine.Move, engine.Shrink:
		b := *g.Berth
		b.Leaving = &engine.Leaving{For: d.For, Rule: d.Rule, Notice: w.now, Deadline: w.now + g.Grace, Signaled: true}
		if d.Kind == engine.Shrink {
			b.Leaving.Keep = &d.Slot
		}
		if d.Kind == engine.Move {
			g.Next = &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: w.now}
		}
		g.Berth = &b
	case engine.Release:
		g.Berth = nil
	case engine.Grow:
		b := *g.Berth
		b.Slot = d.Slot
		g.Berth = &b
	case engine.Head:
		if d.At == 0 {
			g.Heading, g.HeadSince = g.Heading+w.now-g.HeadSince, 0
		} else {
			g.HeadSince = d.At
		}
		w.set(g)
		return
	case engine.Spare, engine.Expire:
		w.t.Fatalf("%s is not played here", d.Kind)
	}
	w.set(g)
	line := fmt.Sprintf("%s %s", d.Kind, d.Gang)
	if len(d.Slot.Roles) > 0 {
		line += " " + strings.Join(d.Slot.Roles[0].Nodes, ",")
	}
	w.log = append(w.log, line)
}

func (w *world) set(g engine.Gang) {
	w.gangs[g.ID] = g
	w.state.SetGang(g)
}

// leave lets every gang that was told to leave do so.
func (w *world) leave() {
	for _, g := range w.gangs {
		if g.Berth == nil || g.Berth.Leaving == nil {
			continue
		}
		switch {
		case g.Berth.Leaving.Keep != nil:
			b := *g.Berth
			b.Slot, b.Leaving = *b.Leaving.Keep, nil
			g.Berth = &b
		case g.Next != nil:
			g.Berth, g.Next = &engine.Berth{State: engine.Occupied, Attempt: g.Berth.Attempt + 1, Slot: g.Next.Slot, Started: w.now}, nil
		default:
			g.Evictions = append(g.Evictions, w.now)
			g.Berth = nil
		}
		w.set(g)
	}
}

// end removes a gang that has run to its end.
func (w *world) end(id string) {
	delete(w.gangs, id)
	w.state.RemoveGang(id)
}

// wantLog compares what was decided since the last call.
func (w *world) wantLog(want ...string) {
	w.t.Helper()
	got := strings.Join(w.log, "\n")
	if got != strings.Join(want, "\n") {
		w.t.Errorf("decided:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	w.log = nil
}
