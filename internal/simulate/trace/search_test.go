package trace

import (
	"os"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/simulate"
)

// watched counts what its scheduler decides, and how often a search had stopped at a bound.
type watched struct {
	*engine.State
	decisions, bounded int
}

func (w *watched) Decide(now engine.Time) []engine.Decision {
	decisions := w.State.Decide(now)
	for _, d := range decisions {
		switch d.Kind {
		case engine.Admit, engine.Plan, engine.Promise:
			w.decisions++
			if d.Bounded {
				w.bounded++
			}
		default: // follow from these
		}
	}
	return decisions
}

func TestSearchesStopAtABoundInLessThanOneDecisionOfAHundred(t *testing.T) {
	file, err := os.Open("testdata/philly-800.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, mistakes := Read(file)
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	o := Defaults()
	o.Load = 1.1
	in := build(t, o, list)
	w := &watched{State: engine.New(in.Config)}
	report := simulate.Run(in, simulate.Options{Scheduler: w})
	for _, f := range report.Failures {
		t.Error(f)
	}
	if w.decisions < len(list) || w.bounded*100 >= w.decisions {
		t.Errorf("%d of %d decisions come of a search that stopped at a bound, want less than one of a hundred", w.bounded, w.decisions)
	}
	// All jobs answer the notice, so that nothing is lost whoever is evicted.
	if report.Summary.Preemptions == 0 || report.Summary.LostGPUHours != 0 {
		t.Errorf("%d preemptions lost %v GPU hours, want some and none", report.Summary.Preemptions, report.Summary.LostGPUHours)
	}
}
