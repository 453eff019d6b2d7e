package demo

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// screen shows the board. On a terminal it is redrawn in place under the story, which scrolls; otherwise lines are
// written when something changes.
type screen struct {
	out      io.Writer
	terminal bool
	board    board
	started  time.Time

	drawn int               // lines of the board that stand on the terminal
	last  map[string]string // key of a gang to what was last told of it, without a terminal
}

// takeOff moves the cursor up so many lines and clears what is below it.
const takeOff = "\x1b[%dA\x1b[J"

// newScreen shows on out; width is the terminal's, 0 where there is none.
func newScreen(out io.Writer, terminal, colour bool, width int) *screen {
	return &screen{
		out: out, terminal: terminal, started: time.Now(),
		board: board{width: width, colour: colour}, last: map[string]string{},
	}
}

// say writes a line of the story.
func (s *screen) say(format string, args ...any) {
	s.erase()
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		fmt.Fprintf(s.out, "%s %s\n", s.clock(), strings.TrimRight(line, "\n"))
	}
}

// show draws the world, or tells what is new in it.
func (s *screen) show(w world) {
	if !s.terminal {
		s.tell(w)
		return
	}
	lines := append([]string{""}, s.board.draw(w)...)
	frame := strings.Join(lines, "\n") + "\n"
	if s.drawn > 0 {
		frame = fmt.Sprintf(takeOff, s.drawn) + frame
	}
	fmt.Fprint(s.out, frame) // in one piece, or it would flicker
	s.drawn = len(lines)
}

// picture draws the map of racks once, where nothing is redrawn.
func (s *screen) picture(w world) {
	if !s.terminal {
		s.lines(s.board.racks(w))
	}
}

// keep lets the board stand where it is; what follows is written under it. Where nothing is redrawn, it draws the jobs once.
func (s *screen) keep(w world) {
	if s.terminal {
		s.drawn = 0
		return
	}
	s.lines(s.board.jobs(w))
}

// lines writes a block with space around it.
func (s *screen) lines(block []string) {
	fmt.Fprintf(s.out, "\n%s\n\n", strings.Join(block, "\n"))
}

// erase takes the board off the terminal.
func (s *screen) erase() {
	if s.drawn > 0 {
		fmt.Fprintf(s.out, takeOff, s.drawn)
		s.drawn = 0
	}
}

// tell writes a line for each gang that changed.
func (s *screen) tell(w world) {
	for _, g := range w.gangs {
		if g.phase == "" {
			continue
		}
		text := fmt.Sprintf("%-10s", g.phase)
		if g.readyPods != "" {
			text += " " + g.readyPods + " ready"
		}
		if where := s.board.where(g, 0); where != "" {
			text += ", " + where
		}
		// A sentence with numbers that move is news only with a new reason.
		state := fmt.Sprint(g.phase, g.reason, g.domain, g.attempts)
		if s.last[g.key()] == state {
			continue
		}
		s.last[g.key()] = state
		fmt.Fprintf(s.out, "%s   %-22s %s\n", s.clock(), g.key(), text)
	}
}

// clock is the time since the start.
func (s *screen) clock() string {
	return fmt.Sprintf("%5.1fs", time.Since(s.started).Seconds())
}
