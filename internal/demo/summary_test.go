package demo

import (
	"strings"
	"testing"
	"time"
)

func TestSummaryTellsWhatWasSeen(t *testing.T) {
	var seen tally
	w := aWorld()
	seen.add(w)
	w.racks[1].nodes[0] = node{name: "n56", gang: "finetuning/ft-7", pods: 1} // which was not admitted
	seen.add(w)
	got := strings.Join(summary(w, seen, 61*time.Second), "\n")
	want := `
In 61 s: 3 gangs for 112 GPUs in all. 1 succeeded, 1 of them after they had made way (1 preemption).
At most 24 of 48 GPUs were in use at once; gangs that waited for their start held 8.`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
