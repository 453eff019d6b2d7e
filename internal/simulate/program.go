package simulate

import (
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// Program is how the program in a gang behaves. Zero durations mean: never.
type Program struct {
	// Runs is the productive time it needs.
	Runs time.Duration
	// Every is after how much productive time it saves its work by itself.
	Every time.Duration
	// Saves is true when it answers a signal, and Save how long after it.
	Saves bool
	Save  time.Duration
}

// work is what a gang's program has done, as productive time in nanoseconds.
type work struct {
	// kept is what would not be lost: what was saved before the present stay, or acknowledged.
	kept int64
	// running is true while pods run, since started.
	running bool
	started engine.Time
}

// done is how much the program has done by now, saved or not.
func (w *work) done(now engine.Time) int64 {
	if !w.running {
		return w.kept
	}
	return w.kept + now - w.started
}

// saved is how much of it its own saves, and those before the present stay, keep.
func (w *work) saved(p Program, now engine.Time) int64 {
	if p.Every <= 0 {
		return w.kept
	}
	return max(w.kept, w.done(now)/int64(p.Every)*int64(p.Every))
}

// lastSave is when the program last saved its work by itself in the present stay; zero: not yet.
func (w *work) lastSave(p Program, now engine.Time) engine.Time {
	if s := w.saved(p, now); s > w.kept {
		return w.started + s - w.kept
	}
	return 0
}

// nextSave is when it will save its work next; false: never.
func (w *work) nextSave(p Program, now engine.Time) (engine.Time, bool) {
	if p.Every <= 0 || !w.running {
		return 0, false
	}
	next := (w.done(now)/int64(p.Every) + 1) * int64(p.Every)
	return w.started + next - w.kept, true
}

// end is when the run ends if nothing happens to it; false: never.
func (w *work) end(p Program) (engine.Time, bool) {
	return w.started + int64(p.Runs) - w.kept, p.Runs > 0
}

func (w *work) start(now engine.Time) { w.running, w.started = true, now }

// stop ends the stay with so much kept, and returns how much was kept of this stay and how much was lost.
func (w *work) stop(kept int64, now engine.Time) (gained, lost int64) {
	gained, lost = kept-w.kept, w.done(now)-kept
	w.kept, w.running = kept, false
	return gained, lost
}

// departure is how a gang that was told to leave will do so.
type departure struct {
	// told is when; gone when its pods are.
	told, gone engine.Time
	// acknowledged is true when it saves its work before that.
	acknowledged bool
	// kept is what an acknowledgement keeps: what had been done up to the signal.
	kept int64
}

// depart foresees how a program leaves: with a checkpoint asked of it, when it acknowledges or else when the grace is over;
// without one when its pods' own grace is over. grace is the one that applies.
func (w *work) depart(p Program, asked bool, grace int64, now engine.Time) departure {
	d := departure{told: now, gone: now + grace, kept: w.done(now)}
	if asked && p.Saves && int64(p.Save) <= grace {
		d.gone, d.acknowledged = now+int64(p.Save), true
	}
	return d
}
