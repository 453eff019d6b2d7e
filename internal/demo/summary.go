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
	for _, line := range summary(w, s.peak, time.Since(s.screen.started)) {
		fmt.Fprintln(s.screen.out, line)
	}
	return nil
}

// summary tells what happened, in numbers.
func summary(w world, peak int, took time.Duration) []string {
	var gangs, succeeded, preemptions, gpus int
	for _, g := range w.gangs {
		gangs++
		gpus += int(g.accelerators)
		preemptions += int(g.preemptions)
		if g.phase == v1alpha1.PhaseSucceeded {
			succeeded++
		}
	}
	all := 0
	for _, r := range w.racks {
		all += len(r.nodes) * gpusPerNode
	}
	return []string{
		"",
		fmt.Sprintf("In %.0f s: %s for %d GPUs in all, %d succeeded; %s, returned by itself.", took.Seconds(), plural(gangs, "gang"),
			gpus, succeeded, plural(preemptions, "preemption")),
		fmt.Sprintf("At most %d of %d GPUs were in use at once. No gang ever ran in part.", peak, all),
	}
}
