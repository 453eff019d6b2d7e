package demo

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func TestPipeTellsEachChangeOnce(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out, false, false, 0)
	w := aWorld()
	s.show(w)
	s.show(w)
	w.gangs[1].message = "needs 8 nodes of one rack; the best, s1/r7, has 5"
	s.show(w)
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("three gangs that did not change gave %d lines:\n%s", n, out.String())
	}
	w.gangs[1].phase, w.gangs[1].domain, w.gangs[1].readyPods = v1alpha1.PhaseRunning, "s1/r7", "8/8"
	s.show(w)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; len(lines) != 4 || !strings.Contains(last, "finetuning/ft-7") || !strings.Contains(last, "Running    8/8 ready, s1/r7") {
		t.Errorf("want one more line that tells that ft-7 runs in s1/r7, got:\n%s", out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("escape codes in a pipe")
	}
}

func TestTerminalIsRedrawnInPlace(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out, true, false, 80)
	s.show(aWorld())
	first := out.String()
	if strings.Contains(first, "\x1b") {
		t.Errorf("the first frame takes something off the terminal: %q", first)
	}
	s.show(aWorld())
	if again := strings.TrimPrefix(out.String(), first); again != "\x1b[9A\x1b[J"+first {
		t.Errorf("the second frame should take the 9 lines of the first away and draw them again, got %q", again)
	}
	s.say("a line of the story")
	s.say("another")
	if story := out.String()[2*len(first)+len("\x1b[9A\x1b[J"):]; strings.Count(story, "\x1b[9A\x1b[J") != 1 {
		t.Errorf("the board should be taken off once, before the first line: %q", story)
	}
}

func TestAKeptBoardIsNotTakenOff(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out, true, false, 80)
	s.show(aWorld())
	s.keep(aWorld())
	s.say("after it")
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("the board was taken off: %q", out.String())
	}
}
