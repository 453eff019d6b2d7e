package demo

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// board draws a world as lines of text.
type board struct {
	width  int  // runes a line at most; 0: no bound
	colour bool // ANSI colours
	marks  map[string]rune
}

// Height is how many lines a terminal must have for the board to be redrawn in place.
const Height = 28

// freeMark stands for a node that nobody uses.
const freeMark = '·'

// palette are the colours of gangs, of the 256 of ANSI, told apart on dark and on light ground.
var palette = []int{33, 166, 34, 133, 178, 37, 161, 64, 99, 208, 31, 125}

// mark is the letter of a gang, given on first sight and kept.
func (b *board) mark(key string) rune {
	if b.marks == nil {
		b.marks = map[string]rune{}
	}
	m, known := b.marks[key]
	if !known {
		m = 'A' + rune(len(b.marks)%26)
		b.marks[key] = m
	}
	return m
}

// paint gives a gang's text the gang's colour.
func (b *board) paint(key, text string) string {
	if !b.colour {
		return text
	}
	return fmt.Sprintf("\x1b[1;38;5;%dm%s\x1b[0m", palette[int(b.mark(key)-'A')%len(palette)], text)
}

// draw returns the map of racks, then the table of jobs.
func (b *board) draw(w world) []string {
	for _, g := range w.gangs {
		b.mark(g.key())
	}
	return append(append(b.racks(w), ""), b.jobs(w)...)
}

// racks draws one line a spine and rack, a cell a node.
func (b *board) racks(w world) []string {
	lines := []string{fmt.Sprintf("%-7s %-6s %-16s %s", "SPINE", "RACK", "NODES (8 H100)", "FREE GPUS")}
	for _, r := range w.racks {
		var cells strings.Builder
		for _, n := range r.nodes {
			if n.gang == "" {
				cells.WriteString(string(freeMark) + " ")
			} else {
				cells.WriteString(b.paint(n.gang, string(b.mark(n.gang))) + " ")
			}
		}
		padding := strings.Repeat(" ", max(0, 16-2*len(r.nodes)))
		lines = append(lines, fmt.Sprintf("%-7s %-6s %s%s %d", r.spine, r.name, cells.String(), padding, r.free()*gpusPerNode))
	}
	return lines
}

// jobs draws one line a gang.
func (b *board) jobs(w world) []string {
	lines := []string{fmt.Sprintf("  %-22s %-11s %4s %6s %-10s %s", "JOB", "TIER", "GPUS", "READY", "PHASE", "WHERE, OR WHY NOT")}
	for _, g := range w.gangs {
		row := fmt.Sprintf("%-22s %-11s %4d %6s %-10s ", g.key(), g.tier, g.accelerators, g.readyPods, g.phase)
		row += b.where(g, 2+len(row))
		lines = append(lines, b.paint(g.key(), string(b.mark(g.key())))+" "+row)
	}
	return lines
}

// where says where the gang runs or why it does not, in the room that the line has left.
func (b *board) where(g gang, used int) string {
	var text string
	switch {
	case g.phase == v1alpha1.PhaseSucceeded || g.phase == v1alpha1.PhaseFailed:
		text = g.history()
	case g.phase == v1alpha1.PhasePending || g.phase == v1alpha1.PhasePreempting:
		text = strings.Trim(g.reason+": "+g.message, ": ")
	case g.domain != "":
		text = g.domain
		if len(g.nodes) > 0 {
			text += fmt.Sprintf(", rank 0 on %s, rank %d on %s", g.nodes[0], len(g.nodes)-1, g.nodes[len(g.nodes)-1])
		}
		if g.attempts > 1 {
			text += ", " + g.history()
		}
	}
	if b.width > 0 {
		text = cut(text, b.width-used)
	}
	return text
}

// history tells the attempts where there was more than one.
func (g gang) history() string {
	if g.attempts < 2 {
		return ""
	}
	return fmt.Sprintf("attempt %d after %s", g.attempts, plural(int(g.preemptions), "preemption"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// cut shortens a text to a number of runes, and shows that it did.
func cut(text string, width int) string {
	runes := []rune(text)
	switch {
	case len(runes) <= width:
		return text
	case width < 1:
		return ""
	}
	return string(runes[:width-1]) + "…"
}
