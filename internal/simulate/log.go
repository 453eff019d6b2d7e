package simulate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/berth-dev/berth/internal/engine"
)

// Happening is one line of a run's history.
type Happening struct {
	At     Offset `json:"at"`
	Object string `json:"object"`
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
}

func (h Happening) String() string {
	return strings.TrimRight(fmt.Sprintf("%-10s %-24s %-10s %s", h.At, h.Object, h.What, h.Detail), " ")
}

// log keeps a run's history, or tells it as it happens.
type log struct {
	keep bool
	live io.Writer
	list []Happening
}

func (l *log) add(at engine.Time, object, what, detail string) {
	h := Happening{At: since(at), Object: object, What: what, Detail: detail}
	if l.live != nil {
		fmt.Fprintln(l.live, h)
	}
	if l.keep {
		l.list = append(l.list, h)
	}
}

// brief names a slot's nodes, the first few of many.
func brief(slot engine.Slot) string {
	const few = 8
	nodes := distinct(ranks(slot))
	if len(nodes) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(nodes[:few], ","), len(nodes)-few)
	}
	return strings.Join(nodes, ",")
}

func victims(list []engine.Victim) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.Gang
	}
	return strings.Join(names, ",")
}

func forWhom(d engine.Decision) string {
	if d.For == "" {
		return ""
	}
	return "for " + d.For
}

// cause says why a gang is told to leave.
func cause(d engine.Decision) string {
	return strings.TrimSpace(d.Rule.String() + " " + forWhom(d))
}

// distinct returns the different names of a list, in their first order.
func distinct(names []string) []string {
	out := make([]string, 0, len(names))
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return slices.Clip(out)
}
