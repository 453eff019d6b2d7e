package play

import (
	"time"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/simulate"
)

// forecast is what the simulator says: the steps in order, each with its time.
func forecast(in *simulate.Input) ([]Step, *simulate.Report) {
	w := &witness{Scheduler: engine.New(in.Config), seen: map[string]look{}}
	if len(in.Events) > 0 {
		w.first = in.Events[0].At
	}
	report := simulate.Run(in, simulate.Options{Scheduler: w})
	phases := map[string]simulate.GangLine{}
	for _, g := range report.Gangs {
		phases[g.Name] = g
	}
	steps := w.steps[:0]
	for _, s := range w.steps {
		switch {
		case s.What != ended:
		case phases[s.Gang].Finished == nil || time.Duration(*phases[s.Gang].Finished) != s.At:
			continue // deleted, by an event
		case phases[s.Gang].Phase == simulate.Succeeded:
			s.What = Succeeded
		case phases[s.Gang].Phase == simulate.Failed:
			s.What = Failed
		default:
			continue
		}
		steps = append(steps, s)
	}
	return steps, report
}

// ended stands for a step whose kind only the report tells.
const ended What = "Ended"

// witness is a scheduler that notes what becomes of gangs by what it is told of them.
type witness struct {
	simulate.Scheduler
	// first is when the scenario's first event is, and with it the first decision; start is the engine's time at zero.
	first      time.Duration
	start, now engine.Time
	seen       map[string]look
	steps      []Step
	// early are steps of an instant at which nothing was decided yet.
	early int
}

// Decide tells the time of what came before it at the same instant.
func (w *witness) Decide(now engine.Time) []engine.Decision {
	if w.start == 0 {
		w.start = now - engine.Time(w.first)
	}
	w.now = now
	w.date()
	return w.Scheduler.Decide(now)
}

// date gives the steps since the last decision their time.
func (w *witness) date() {
	for ; w.early < len(w.steps); w.early++ {
		w.steps[w.early].At = time.Duration(w.now - w.start)
	}
}

func (w *witness) SetGang(g engine.Gang) {
	now := look{runs: g.Berth != nil && g.Berth.State == engine.Occupied}
	if g.Berth != nil {
		b := *g.Berth
		now.berth = &b
	}
	w.steps = append(w.steps, steps(g.ID, w.seen[g.ID], now)...)
	w.seen[g.ID] = now
	w.Scheduler.SetGang(g)
}

func (w *witness) RemoveGang(id string) {
	w.steps = append(w.steps, Step{Gang: id, What: ended})
	delete(w.seen, id)
	w.Scheduler.RemoveGang(id)
}
