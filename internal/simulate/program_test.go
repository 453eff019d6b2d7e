package simulate

import (
	"testing"
	"time"
)

const minute = int64(time.Minute)

func TestWorkIsKeptAsTheProgramSavesIt(t *testing.T) {
	tests := map[string]struct {
		program Program
		// kept before the stay, and how long it lasted.
		kept, ran int64
		// saved is what the program's own saves keep then, lastSave how long after the start the last one was, nextSave when
		// the next one is.
		saved, lastSave, nextSave int64
	}{
		"never saves":                       {Program{}, 0, 35 * minute, 0, 0, 0},
		"never saves, resumes":              {Program{}, 20 * minute, 35 * minute, 20 * minute, 0, 0},
		"saves every ten minutes":           {Program{Every: 10 * time.Minute}, 0, 35 * minute, 30 * minute, 30 * minute, 40 * minute},
		"has not saved in this stay":        {Program{Every: 10 * time.Minute}, 25 * minute, 4 * minute, 25 * minute, 0, 5 * minute},
		"counts productive time over stays": {Program{Every: 10 * time.Minute}, 25 * minute, 8 * minute, 30 * minute, 5 * minute, 15 * minute},
		"saves at this very instant":        {Program{Every: 10 * time.Minute}, 0, 30 * minute, 30 * minute, 30 * minute, 40 * minute},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := work{kept: test.kept}
			w.start(epoch)
			now := epoch + test.ran
			if got := w.saved(test.program, now); got != test.saved {
				t.Errorf("saved: got %s, want %s", time.Duration(got), time.Duration(test.saved))
			}
			var want int64
			if test.lastSave > 0 {
				want = epoch + test.lastSave
			}
			if got := w.lastSave(test.program, now); got != want {
				t.Errorf("last save: got %s, want %s", since(got), since(want))
			}
			next, ever := w.nextSave(test.program, now)
			if ever != (test.nextSave > 0) || ever && next != epoch+test.nextSave {
				t.Errorf("next save: got %s (%v), want %s", since(next), ever, time.Duration(test.nextSave))
			}
		})
	}
}

func TestDepartureTakesAsLongAsTheProgramNeeds(t *testing.T) {
	const grace = int64(time.Minute)
	tests := map[string]struct {
		program      Program
		asked        bool
		after        int64
		acknowledged bool
	}{
		"it answers":                     {Program{Saves: true, Save: 20 * time.Second}, true, int64(20 * time.Second), true},
		"it answers at once":             {Program{Saves: true}, true, 0, true},
		"it answers at the last instant": {Program{Saves: true, Save: time.Minute}, true, grace, true},
		"it would answer too late":       {Program{Saves: true, Save: 2 * time.Minute}, true, grace, false},
		"it never answers":               {Program{Every: time.Minute}, true, grace, false},
		"nothing is asked of it":         {Program{Saves: true, Save: time.Second}, false, grace, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := work{}
			w.start(epoch)
			got := w.depart(test.program, test.asked, grace, epoch+minute)
			want := departure{told: epoch + minute, gone: epoch + minute + test.after, acknowledged: test.acknowledged, kept: minute}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestStopTellsWhatIsGainedAndLost(t *testing.T) {
	w := work{kept: 10 * minute}
	w.start(epoch)
	gained, lost := w.stop(25*minute, epoch+20*minute)
	if gained != 15*minute || lost != 5*minute || w.kept != 25*minute || w.running {
		t.Errorf("got gained %s, lost %s, kept %s, running %v; want 15m, 5m, 25m, false", time.Duration(gained), time.Duration(lost),
			time.Duration(w.kept), w.running)
	}
}
