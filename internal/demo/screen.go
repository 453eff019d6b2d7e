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
	s.erase()
	lines := append([]string{""}, s.board.draw(w)...)
	fmt.Fprintln(s.out, strings.Join(lines, "\n"))
	s.drawn = len(lines)
}

// keep lets the board stand where it is; what follows is written under it. In a pipe it draws the board once.
func (s *screen) keep(w world) {
	if s.terminal {
		s.drawn = 0
		return
	}
	fmt.Fprintln(s.out, strings.Join(append(s.board.draw(w), ""), "\n"))
}

// erase takes the board off the terminal.
func (s *screen) erase() {
	if s.drawn > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", s.drawn)
		s.drawn = 0
	}
}

// tell writes a line for each gang that changed.
func (s *screen) tell(w world) {
	for _, g := range w.gangs {
		text := fmt.Sprintf("%-10s %s ready", g.phase, g.readyPods)
		if g.phase == "" {
			continue
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
