package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/berth-dev/berth/internal/simulate"
)

// Options say how a scenario is played.
type Options struct {
	// Speed is by how much time goes faster than in the scenario.
	Speed float64
	// Patience is how long the clock stands still for something that the simulator says and the cluster does not do.
	// Default 30s.
	Patience time.Duration
	// Out gets a line per step as it happens, if it is not nil.
	Out io.Writer
}

// Result is what came of a play.
type Result struct {
	Name string
	// Said are the steps as the simulator says them, Done those of the cluster, each in order.
	Said, Done []Step
	// Behind is by how much the cluster was late at most, in real time, and Speed how much faster than that the scenario's time
	// went.
	Behind time.Duration
	Speed  float64
	// Differences is empty when the two agree.
	Differences []Difference
}

// clearTimeout bounds the time in which what a scenario leaves is removed.
const clearTimeout = 30 * time.Second

// Play plays a scenario on the stage, and clears it.
func (s *Stage) Play(ctx context.Context, in *simulate.Input, opts Options) (result *Result, err error) {
	if opts.Speed <= 0 {
		return nil, fmt.Errorf("speed: got %g, want more than 0, such as 60", opts.Speed)
	}
	if opts.Patience == 0 {
		opts.Patience = 30 * time.Second
	}
	if opts.Out == nil {
		opts.Out = io.Discard
	}
	said, report := forecast(in)
	if !report.Holds() {
		return nil, fmt.Errorf("scenario %s does not hold on the simulator: %s", in.Name, report.Failures[0])
	}
	manager, err := s.set(ctx, in, speed(opts.Speed))
	if err != nil {
		return nil, fmt.Errorf("setting the scene of %s: %w", in.Name, err)
	}
	defer func() {
		clearing, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearTimeout)
		defer cancel()
		err = errors.Join(err, s.clear(clearing, manager))
	}()
	p := newPerformance(s, in, opts, said)
	if err := p.perform(ctx); err != nil {
		return nil, fmt.Errorf("playing %s: %w\n%s", in.Name, err, manager.Tail())
	}
	return &Result{
		Name: in.Name, Said: said, Done: p.done, Behind: p.behind, Speed: opts.Speed, Differences: compare(said, p.done),
	}, nil
}
