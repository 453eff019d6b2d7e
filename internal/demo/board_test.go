package demo

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func aWorld() world {
	return world{
		gangs: []gang{
			{
				namespace: "pretraining", name: "llama-70b", tier: v1alpha1.TierProduction, phase: v1alpha1.PhaseRunning, readyPods: "2/2",
				accelerators: 16, domain: "s0/r0", nodes: []string{"n0", "n1"}, attempts: 1,
			},
			{
				namespace: "finetuning", name: "ft-7", tier: v1alpha1.TierBatch, phase: v1alpha1.PhasePending, readyPods: "0/8",
				accelerators: 64, reason: "NoCoherentSlot", message: "needs 8 nodes of one rack; the best, s1/r7, has 4",
			},
			{
				namespace: "research", name: "ablation", tier: v1alpha1.TierBatch, phase: v1alpha1.PhaseSucceeded, readyPods: "4/4",
				accelerators: 32, attempts: 2, preemptions: 1,
			},
		},
		racks: []rack{
			{spine: "s0", name: "r0", nodes: []node{{name: "n0", gang: "pretraining/llama-70b", pods: 1}, {name: "n1", gang: "pretraining/llama-70b", pods: 1}, {name: "n2"}}},
			{spine: "s1", name: "r7", nodes: []node{{name: "n56"}, {name: "n57"}, {name: "n58"}}},
		},
	}
}

func TestBoardShowsRacksAndJobs(t *testing.T) {
	b := board{}
	want := strings.Trim(`
SPINE   RACK   NODES (8 H100)   FREE GPUS
s0      r0     A A ·            8
s1      r7     · · ·            24

  JOB                    TIER        GPUS  READY PHASE      WHERE, OR WHY NOT
A pretraining/llama-70b  Production    16    2/2 Running    s0/r0, rank 0 on n0, rank 1 on n1
B finetuning/ft-7        Batch         64    0/8 Pending    NoCoherentSlot: needs 8 nodes of one rack; the best, s1/r7, has 4
C research/ablation      Batch         32    4/4 Succeeded  attempt 2 after 1 preemption
`, "\n")
	if diff := cmp.Diff(want, trimmed(b.draw(aWorld()))); diff != "" {
		t.Errorf("the board differs (-want +got):\n%s", diff)
	}
}

func TestBoardKeepsToTheTerminalsWidth(t *testing.T) {
	b := board{width: 80}
	for _, line := range b.draw(aWorld()) {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d runes wide, 80 at most: %s", n, line)
		}
	}
}

func TestAGangKeepsItsLetterWhenOthersGo(t *testing.T) {
	b := board{}
	w := aWorld()
	b.draw(w)
	w.gangs = w.gangs[1:]
	if line := b.jobs(w)[1]; !strings.HasPrefix(line, "B finetuning/ft-7") {
		t.Errorf("want ft-7 to stay B, got %q", line)
	}
}

func TestColourIsOnlyPaint(t *testing.T) {
	coloured := board{colour: true}
	plain := board{}
	painted := strings.Join(coloured.draw(aWorld()), "\n")
	if !strings.Contains(painted, "\x1b[") {
		t.Fatal("nothing is coloured")
	}
	if diff := cmp.Diff(trimmed(plain.draw(aWorld())), trimmed(strings.Split(withoutColour(painted), "\n"))); diff != "" {
		t.Errorf("colour changes what is said (-plain +coloured):\n%s", diff)
	}
}

func withoutColour(text string) string {
	for {
		start := strings.Index(text, "\x1b[")
		if start < 0 {
			return text
		}
		end := start + strings.IndexByte(text[start:], 'm')
		text = text[:start] + text[end+1:]
	}
}

// trimmed joins lines without the blanks at their ends.
func trimmed(lines []string) string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
