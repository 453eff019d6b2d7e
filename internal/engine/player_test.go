package engine_test

import (
	"fmt"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// player is a caller of the engine: it carries out what is decided, at once, and lets the world go on. Its hooks judge.
type player struct {
	*records
	t        *rapid.T
	cfg      engine.Config
	state    *engine.State
	attempts map[string]int
	log      []string
	// deciding is the pass that is being carried out.
	deciding []engine.Decision
	// before is called with each decision before it is carried out, settled when nothing more is decided.
	before  func(d engine.Decision)
	settled func()
	// rebuilt makes every first pass of an instant be compared with that of a state made anew of the records.
	rebuilt bool
	// failures counts how often each node has failed: the blame for it is no record.
	failures map[string]int
}

func newPlayer(t *rapid.T, r *records, cfg engine.Config) *player {
	p := &player{
		records: r, t: t, cfg: cfg, state: engine.New(cfg), attempts: map[string]int{}, failures: map[string]int{},
		before: func(engine.Decision) {}, settled: func() {},
	}
	r.tell(p.state, false)
	return p
}

// settle lets the engine decide until nothing changes.
func (p *player) settle() {
	for round := 0; ; round++ {
		var fresh *engine.State
		if p.rebuilt && round == 0 {
			// A gang that its user holds comes, so that whoever was evicted before may be again, as after a restart.
			p.set(engine.Gang{ID: fmt.Sprintf("t0/held%03d", p.serial()), Team: "t0", Held: true})
			fresh = engine.New(p.cfg)
			p.tell(fresh, true)
		}
		decisions := p.state.Decide(p.now)
		if fresh != nil {
			if again := fresh.Decide(p.now); !reflect.DeepEqual(decisions, again) {
				p.t.Fatalf("with the same records\nan old state decides %+v\na new one       %+v\nafter\n%s", decisions, again, p.history())
			}
		}
		if len(decisions) == 0 {
			break
		}
		if round == 50 {
			p.t.Fatalf("the engine decides for ever:\n%s", p.history())
		}
		p.deciding = decisions
		for _, d := range decisions {
			p.before(d)
			p.carryOut(d)
		}
	}
	p.settled()
}

func (p *player) history() string {
	out := ""
	for _, line := range p.log[max(0, len(p.log)-60):] {
		out += line + "\n"
	}
	return out
}

func (p *player) note(format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf("%5.1fm ", float64(p.now-hour)/float64(minute))+fmt.Sprintf(format, args...))
}

func (p *player) set(g engine.Gang) {
	p.gangs[g.ID] = g
	p.state.SetGang(g)
}

// carryOut does with a decision what a caller does, and writes down what it writes.
func (p *player) carryOut(d engine.Decision) {
	g, ok := p.gangs[d.Gang]
	if !ok {
		p.t.Fatalf("%s is decided for %s, which is not there", d.Kind, d.Gang)
	}
	p.note("%s", told(d))
	switch d.Kind {
	case engine.Admit, engine.Replace:
		p.start(g, d.Slot)
		return
	case engine.Plan:
		g.Berth = &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: p.now, Victims: d.Victims}
	case engine.Promise:
		g.Berth = &engine.Berth{State: engine.Future, Slot: d.Slot, Since: p.now, NotBefore: d.At, Basis: d.Basis}
	case engine.Evict, engine.Move, engine.Shrink:
		b := *g.Berth
		b.Leaving = &engine.Leaving{For: d.For, Rule: d.Rule, Notice: p.now, Deadline: p.now + g.Grace, Signaled: true}
		if d.Kind == engine.Shrink {
			b.Leaving.Keep = &d.Slot
		}
		if d.Kind == engine.Move {
			g.Next = &engine.Berth{State: engine.Planned, Slot: d.Slot, Since: p.now}
		}
		g.Berth = &b
	case engine.Release:
		if d.Rule == engine.ByIdle {
			g.PromiseRefused = p.now
		}
		p.stop(&g)
	case engine.Spare:
		b := *g.Berth
		b.Leaving = nil
		g.Berth, g.Next = &b, nil
	case engine.Grow:
		b := *g.Berth
		b.Slot = d.Slot
		g.Berth = &b
	case engine.Expire:
		p.remove(g.ID)
		return
	case engine.Head:
		if d.At == 0 {
			g.Heading += p.now - g.HeadSince
		}
		g.HeadSince = d.At
	}
	p.set(g)
}

// told puts a decision into a line.
func told(d engine.Decision) string {
	line := fmt.Sprintf("%s %s", d.Kind, d.Gang)
	for _, r := range d.Slot.Roles {
		line += fmt.Sprintf(" %s%v", r.Role, r.Nodes)
	}
	for _, v := range d.Victims {
		line += " -" + v.Gang
	}
	if d.For != "" || d.Rule != engine.NoRule {
		line += fmt.Sprintf(" for %s by %s", d.For, d.Rule)
	}
	if d.At != 0 {
		line += fmt.Sprintf(" at %.1fm", float64(d.At-hour)/float64(minute))
	}
	return line
}

// start runs a gang on a slot.
func (p *player) start(g engine.Gang, slot engine.Slot) {
	p.stop(&g)
	p.attempts[g.ID]++
	g.Heading, g.HeadSince = 0, 0
	g.Berth = &engine.Berth{State: engine.Occupied, Attempt: p.attempts[g.ID], Slot: slot, Since: p.now, Started: p.now}
	p.set(g)
}

// stop takes a gang's berth from it and books its running time.
func (p *player) stop(g *engine.Gang) {
	if g.Berth != nil && g.Berth.State == engine.Occupied {
		g.Ran += p.now - g.Berth.Started
	}
	g.Berth, g.Next, g.LastCheckpoint = nil, nil, 0
}

// leave is when a gang that was told to leave has left.
func (p *player) leave(id string) {
	g := p.gangs[id]
	l := g.Berth.Leaving
	p.note("%s leaves", id)
	switch {
	case l.Keep != nil:
		b := *g.Berth
		b.Slot, b.Leaving = *l.Keep, nil
		g.Berth = &b
		p.set(g)
	case g.Next != nil && l.Rule == engine.ByMove && !g.Answers && g.Published && p.now >= l.Deadline:
		b := *g.Berth
		b.Leaving, g.Next, g.MoveRefused = nil, nil, p.now
		g.Berth = &b
		p.set(g)
	case g.Next != nil:
		if l.Rule == engine.ByMove {
			g.LastMove = p.now
		}
		p.start(g, g.Next.Slot)
	default:
		if l.Rule != engine.ByDrain {
			g.Evictions = append(slices.Clone(g.Evictions), p.now)
		}
		p.stop(&g)
		p.set(g)
	}
}

func (p *player) submit(g engine.Gang) {
	g.Queued = p.now
	p.note("submit %s tier %s asks %s", g.ID, g.Tier, asked(g))
	p.set(g)
}

func asked(g engine.Gang) string {
	line := ""
	for _, r := range g.Roles {
		line += fmt.Sprintf("%s %d..%d of %v groups %v; ", r.Name, floor(r), r.Count, r.Pod.Requests, r.Groups)
	}
	return line + fmt.Sprintf("pool %q required %q preferred %q policy %d", g.Pool, g.Required, g.Preferred, g.Policy)
}

func (p *player) remove(id string) {
	p.note("%s ends", id)
	delete(p.gangs, id)
	p.state.RemoveGang(id)
}

// strike lets a node fail: who was about to leave it has left.
func (p *player) strike(name string) {
	n := p.nodes[name]
	n.Ready = false
	p.setNode(n)
	p.failures[name]++
	for _, id := range sortedKeys(p.gangs) {
		g := p.gangs[id]
		if g.Berth == nil || g.Berth.Leaving == nil {
			continue
		}
		hit := false
		pods(g, g.Berth.Slot, func(_ engine.Pod, on string) { hit = hit || on == name })
		if hit {
			g.Next = nil
			p.gangs[id] = g
			p.leave(id)
		}
	}
}

func (p *player) setNode(n engine.Node) {
	p.note("node %s ready=%v cordoned=%v", n.Name, n.Ready, n.Cordoned)
	p.nodes[n.Name] = n
	p.state.SetNode(n)
}

// pass lets time go by, instant by instant: whoever was told to leave does so at the latest when the deadline is over.
func (p *player) pass(d int64) {
	for until := p.now + d; p.now < until; {
		at := until
		if next, ok := p.state.Next(p.now); ok {
			at = min(at, next)
		}
		for _, g := range p.gangs {
			if g.Berth != nil && g.Berth.Leaving != nil {
				at = min(at, max(g.Berth.Leaving.Deadline, p.now+1))
			}
		}
		if at > p.now+1 {
			p.nothingUntil(at)
		}
		p.now = at
		for _, id := range sortedKeys(p.gangs) {
			if g := p.gangs[id]; g.Berth != nil && g.Berth.Leaving != nil && g.Berth.Leaving.Deadline <= p.now {
				p.leave(id)
			}
		}
		p.settle()
	}
}

// nothingUntil checks that time alone changes no decision before an instant.
func (p *player) nothingUntil(at engine.Time) {
	mid := p.now + (at-p.now)/2
	if decisions := p.state.Decide(mid); len(decisions) > 0 {
		p.t.Fatalf("at %d the next instant is said to be %d, but at %d the engine decides %v after\n%s", p.now, at, mid, decisions, p.history())
	}
}
