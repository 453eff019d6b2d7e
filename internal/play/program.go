package play

import (
	"time"

	"github.com/berth-dev/berth/internal/simulate"
)

// program is what runs in a gang: how much of its work is done, and when, in time of the scenario, it will end or stop.
type program struct {
	simulate.Program
	// asked is true when it is told to save its work before it stops, grace for how long it may take to stop.
	asked bool
	grace time.Duration
	// kept is the productive time that a stop would not lose, started since when the present stay lasts.
	kept, started time.Duration
	running       bool
	// told is when it was told to stop, stopsAt when it will have; zero stopsAt: it was not told.
	told, stopsAt time.Duration
	stopping      bool
	// done is true once it was made to end or to stop.
	done bool
}

// start begins a stay.
func (p *program) start(now time.Duration) {
	p.leave(now)
	p.running, p.started, p.done = true, now, false
}

// tell asks it to stop.
func (p *program) tell(now time.Duration) {
	if !p.running || p.stopping {
		return
	}
	p.stopping, p.told, p.stopsAt = true, now, now+p.takes()
}

// takes is how long it takes to stop.
func (p *program) takes() time.Duration {
	if p.acknowledges() {
		return p.Save
	}
	return p.grace
}

func (p *program) acknowledges() bool { return p.asked && p.Saves && p.Save <= p.grace }

// spare lets it go on.
func (p *program) spare() { p.stopping = false }

// leave ends a stay: what was acknowledged or saved is kept.
func (p *program) leave(now time.Duration) {
	if !p.running {
		return
	}
	saved := p.kept
	if p.Every > 0 {
		done := p.kept + now - p.started
		saved = max(saved, done-done%p.Every)
	}
	if p.stopping && p.acknowledges() && now >= p.stopsAt {
		saved = max(saved, p.kept+p.told-p.started)
	}
	p.kept, p.running, p.stopping = saved, false, false
}

// lose ends a stay by a node's failure.
func (p *program) lose(now time.Duration) {
	p.stopping = false
	p.leave(now)
}

// next is when it ends or stops, whichever is first; false: neither is in sight.
func (p *program) next() (at time.Duration, stops, ok bool) {
	if !p.running || p.done {
		return 0, false, false
	}
	ends := p.started + p.Runs - p.kept
	switch {
	case p.Runs > 0 && (!p.stopping || ends <= p.stopsAt):
		return ends, false, true
	case p.stopping:
		return p.stopsAt, true, true
	default:
		return 0, false, false
	}
}
