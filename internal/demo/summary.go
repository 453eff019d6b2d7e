package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// sum draws the end of the story and tells what happened.
func (s *stage) sum(ctx context.Context) error {
	w, err := s.look(ctx)
	if err != nil {
		return err
	}
	s.screen.show(w)
	s.screen.keep(w)
	for _, line := range summary(w, s.seen, time.Since(s.screen.started)) {
		fmt.Fprintln(s.screen.out, line)
	}
	return nil
}

// tally is what was seen over the whole demo.
type tally struct {
	peak int // most GPUs in use at once
	// early are most GPUs held at once by gangs that had not been admitted yet. It would take a gang in part.
	early int
}

// add looks at one more world.
func (t *tally) add(w world) {
	used, early := 0, 0
	for _, r := range w.racks {
		used += (len(r.nodes) - r.free()) * gpusPerNode
	}
	for _, g := range w.gangs {
		if g.attempts == 0 {
			early += w.pods(g.key()) * gpusPerNode
		}
	}
	t.peak, t.early = max(t.peak, used), max(t.early, early)
}

// summary tells what happened, in numbers.
func summary(w world, seen tally, took time.Duration) []string {
	var gpus, succeeded, returned, preemptions, all int
	for _, g := range w.gangs {
		gpus += int(g.accelerators)
		preemptions += int(g.preemptions)
		if g.phase != v1alpha1.PhaseSucceeded {
			continue
		}
		succeeded++
		if g.attempts > 1 {
			returned++
		}
	}
	for _, r := range w.racks {
		all += len(r.nodes) * gpusPerNode
	}
	return []string{
		"",
		fmt.Sprintf("In %.0f s: %s for %d GPUs in all. %d succeeded, %d of them after they had made way (%s).", took.Seconds(),
			plural(len(w.gangs), "gang"), gpus, succeeded, returned, plural(preemptions, "preemption")),
		fmt.Sprintf("At most %d of %d GPUs were in use at once; gangs that waited for their start held %d.", seen.peak, all, seen.early),
	}
}
