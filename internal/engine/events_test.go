package engine_test

import (
	"fmt"
	"maps"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/internal/engine"
)

// happen draws one event and lets it happen. Events of the weather (nodes, quotas, foreign pods) come only where they may.
func (p *player) happen(f profile, weather bool) {
	last := 5
	if weather {
		last = 12
	}
	switch rapid.IntRange(0, last).Draw(p.t, "event") {
	case 0, 1, 2:
		p.submit(drawGang(p.t, p.records, fmt.Sprintf("g%02d", p.serial()), f))
	case 3:
		p.pass(pick(p.t, "minutes", int64(1), 3, 10, 30, 120) * minute)
	case 4:
		p.someone("runs", func(g engine.Gang) bool { return g.Berth != nil && g.Berth.State == engine.Occupied }, p.goOn)
	case 5:
		p.someone("leaving", func(g engine.Gang) bool { return g.Berth != nil && g.Berth.Leaving != nil }, func(g engine.Gang) { p.leave(g.ID) })
	case 6:
		p.someNode(func(n engine.Node) { p.turn(n) })
	case 7:
		p.someNode(func(n engine.Node) { n.Cordoned = !n.Cordoned; p.setNode(n) })
	case 8:
		p.cordon()
	case 9:
		p.edit(f)
	case 10:
		p.someNode(p.intrude)
	case 11:
		p.someone("any", func(engine.Gang) bool { return true }, func(g engine.Gang) {
			g.Held = !g.Held && g.Berth == nil
			if !g.Held && g.Berth == nil {
				g.Queued = p.now
			}
			p.note("%s held=%v", g.ID, g.Held)
			p.set(g)
		})
	case 12:
		p.grow()
	}
	p.settle()
}

var serialKey = "serial"

// serial numbers the gangs of one run.
func (p *player) serial() int {
	p.attempts[serialKey]++
	return p.attempts[serialKey]
}

// someone does something to a gang of which is holds, if there is any.
func (p *player) someone(label string, is func(engine.Gang) bool, do func(engine.Gang)) {
	var among []string
	for _, id := range sortedKeys(p.gangs) {
		if is(p.gangs[id]) {
			among = append(among, id)
		}
	}
	if len(among) > 0 {
		do(p.gangs[pick(p.t, label, among...)])
	}
}

func (p *player) someNode(do func(engine.Node)) {
	do(p.nodes[pick(p.t, "node", sortedKeys(p.nodes)...)])
}

// goOn lets a running gang end, or publish a checkpoint.
func (p *player) goOn(g engine.Gang) {
	if chance(p.t, 50, "ends") {
		p.remove(g.ID)
		return
	}
	g.LastCheckpoint, g.Published = p.now, true
	p.note("%s saves its work", g.ID)
	p.set(g)
}

// turn lets a node fail or come back. Nodes that were blamed often are left alone: blame is no record.
func (p *player) turn(n engine.Node) {
	switch {
	case !n.Ready:
		n.Ready = true
		p.setNode(n)
	case p.failures[n.Name] < 2:
		p.strike(n.Name)
	}
}

// cordon takes a domain of a pool out of use, or takes all back.
func (p *player) cordon() {
	pool := pick(p.t, "pool", sortedKeys(p.pools)...)
	var paths [][]string
	if len(p.cordons[pool]) == 0 {
		for _, name := range sortedKeys(p.nodes) {
			if n := p.nodes[name]; p.poolOf(n) == pool {
				path := p.path(n)
				paths = append(paths, path[:rapid.IntRange(min(1, len(path)-1), len(path)-1).Draw(p.t, "level")])
				break
			}
		}
	}
	p.note("cordons of %s: %v", pool, paths)
	p.cordons[pool] = paths
	p.state.SetCordons(pool, paths)
}

// edit changes a team or its quota.
func (p *player) edit(f profile) {
	name := pick(p.t, "team", sortedKeys(p.teams)...)
	switch rapid.IntRange(0, 3).Draw(p.t, "edit") {
	case 0:
		team := p.teams[name]
		team.Paused = !team.Paused
		p.note("%s paused=%v", name, team.Paused)
		p.teams[name] = team
		p.state.SetTeam(team)
	case 1:
		team := p.teams[name]
		team.Weight = 4 - min(team.Weight, 3)
		p.note("%s weight=%d", name, team.Weight)
		p.teams[name] = team
		p.state.SetTeam(team)
	default:
		q := drawQuota(p.t, p.records, name, f)
		p.note("quota %+v", q)
		p.quotas[name] = q
		p.state.SetQuota(q)
	}
}

// intrude puts a foreign pod on a node where there is room for it beside running pods, or takes one away.
func (p *player) intrude(n engine.Node) {
	name := "foreign/" + n.Name
	if _, ok := p.foreign[name]; ok {
		p.note("%s goes", name)
		delete(p.foreign, name)
		p.state.RemoveForeign(name)
		return
	}
	if !p.usable(n) {
		return
	}
	room := p.free(p.poolOf(n), func(g engine.Gang, b *engine.Berth) bool {
		return b.State >= engine.Reserved || b == g.Next
	})[n.Name]
	f := engine.Foreign{Name: name, Node: n.Name, Requests: engine.Amounts{gpu: 1, "cpu": 1_000, "pods": 1}}
	for k, q := range f.Requests {
		if room[k] < q {
			return
		}
	}
	p.note("%s comes", name)
	p.foreign[name] = f
	p.state.SetForeign(f)
}

// grow adds a node beside an existing one, or takes away one that nobody uses.
func (p *player) grow() {
	name := pick(p.t, "node", sortedKeys(p.nodes)...)
	n := p.nodes[name]
	n.Name, n.Labels, n.Allocatable = name+"x", maps.Clone(n.Labels), maps.Clone(n.Allocatable)
	if _, ok := p.nodes[n.Name]; ok {
		p.note("node %s is gone", n.Name)
		delete(p.foreign, "foreign/"+n.Name)
		p.state.RemoveForeign("foreign/" + n.Name)
		p.strike(n.Name)
		delete(p.nodes, n.Name)
		p.state.RemoveNode(n.Name)
		return
	}
	if len(p.nodes) < 20 {
		p.setNode(n)
	}
}
