package cli

import (
	"fmt"
	"io"
	"time"

	"k8s.io/utils/clock"
)

// Progress is told after a second of work, and not more often than twice a second.
const (
	progressAfter = time.Second
	progressEvery = 500 * time.Millisecond
)

// progress tells on one line how far something is that takes long.
type progress struct {
	clock clock.PassiveClock
	out   io.Writer
	what  string
	start time.Time
	last  time.Time
	told  bool
	calls int
}

func newProgress(out io.Writer, what string) *progress {
	c := clock.RealClock{}
	return &progress{clock: c, out: out, what: what, start: c.Now(), last: c.Now().Add(progressAfter - progressEvery)}
}

// tell is called often and looks at the clock seldom.
func (p *progress) tell(done float64) {
	if p.calls++; p.calls%16 != 0 {
		return
	}
	now := p.clock.Now()
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.told = now, true
	fmt.Fprintf(p.out, "\r%s: %3.0f %% after %s ", p.what, 100*done, now.Sub(p.start).Round(time.Second))
}

// done ends the line, if there is one.
func (p *progress) done() {
	if p.told {
		fmt.Fprintf(p.out, "\r%s: done after %s   \n", p.what, p.clock.Since(p.start).Round(100*time.Millisecond))
	}
}
