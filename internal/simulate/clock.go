package simulate

import (
	"container/heap"
	"fmt"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// epoch is the instant at which every run starts, midnight of a day: to the engine zero means never.
const epoch = engine.Time(10_957 * 24 * time.Hour)

// Offset is a time of the scenario: how long after its start.
type Offset time.Duration

// since converts an instant; an instant that is never stays zero.
func since(t engine.Time) Offset { return Offset(t - epoch) }

func instant(d time.Duration) engine.Time { return epoch + engine.Time(d) }

func (o Offset) String() string {
	d := time.Duration(o).Round(time.Millisecond)
	if d >= 10*time.Minute {
		d = d.Round(time.Second)
	}
	if d < 48*time.Hour {
		return shortDuration(d)
	}
	d = d.Round(time.Minute)
	days, rest := d/(24*time.Hour), d%(24*time.Hour)
	if rest == 0 {
		return fmt.Sprintf("%dd", days)
	}
	return fmt.Sprintf("%dd%s", days, shortDuration(rest))
}

// shortDuration is 1h30m instead of 1h30m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if n := len(s) - len(zero); n > 0 && s[n:] == zero {
			s = s[:n+1]
		}
	}
	return s
}

// transition is something that is bound to happen to a gang unless something else happens to it first.
type transition struct {
	at   engine.Time
	kind transitionKind
	// seq keeps transitions of one instant in the order in which they were foreseen.
	seq  int
	gang *gang
	// stay is the gang's count of changes when this was foreseen; a later count means that it no longer holds.
	stay int
}

type transitionKind int8

// The kinds, in the order in which they happen at one instant.
const (
	runEnds transitionKind = iota
	podsGone
)

// agenda has the transitions to come, the next one first.
type agenda struct {
	heap transitions
	seq  int
}

func (a *agenda) add(t transition) {
	a.seq++
	t.seq = a.seq
	heap.Push(&a.heap, t)
}

// next returns the instant of the next transition that still holds.
func (a *agenda) next() (engine.Time, bool) {
	for len(a.heap) > 0 {
		if t := a.heap[0]; t.stay == t.gang.stay {
			return t.at, true
		}
		heap.Pop(&a.heap)
	}
	return 0, false
}

// pop takes the next transition that is due.
func (a *agenda) pop(now engine.Time) (transition, bool) {
	if at, ok := a.next(); !ok || at > now {
		return transition{}, false
	}
	return heap.Pop(&a.heap).(transition), true
}

type transitions []transition

func (h transitions) Len() int      { return len(h) }
func (h transitions) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *transitions) Push(x any)   { *h = append(*h, x.(transition)) }

func (h *transitions) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = transition{}
	*h = (*h)[:last]
	return t
}

func (h transitions) Less(i, j int) bool {
	a, b := h[i], h[j]
	if a.at != b.at {
		return a.at < b.at
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.seq < b.seq
}
