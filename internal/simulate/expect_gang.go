package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// gangSubject looks at one gang, or at every gang whose name starts with a prefix.
type gangSubject struct {
	id     string
	prefix bool
	checks []gangCheck
}

// gangCheck looks at one property of a gang. It returns what it found where that is not what is wanted.
type gangCheck func(r *run, g *gang) (what finding, holds bool)

func (s gangSubject) look(r *run) (finding, bool) {
	if !s.prefix {
		g, known := r.gangs[s.id]
		if !known {
			return found("no such gang"), false
		}
		return s.lookAt(r, g)
	}
	none := true
	for _, g := range r.all {
		if g == nil || g.phase == deleted || !strings.HasPrefix(g.ID, s.id) {
			continue
		}
		none = false
		if what, holds := s.lookAt(r, g); !holds {
			return func() string { return g.ID + " " + what() }, false
		}
	}
	if none {
		return found("no such gang"), false
	}
	return nil, true
}

func (s gangSubject) lookAt(r *run, g *gang) (finding, bool) {
	for _, check := range s.checks {
		if what, holds := check(r, g); !holds {
			return what, false
		}
	}
	return nil, true
}

func checkPhase(want phases) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		if slices.Contains(want, g.phase) {
			return nil, true
		}
		return r.state(g), false
	}
}

// state tells a gang's phase and where it is, or why it is nowhere.
func (r *run) state(g *gang) finding {
	return func() string {
		switch {
		case g.occupies():
			return fmt.Sprintf("phase %s on %s", g.phase, strings.Join(ranks(g.Berth.Slot), ","))
		case g.phase == Pending:
			e := r.s.Explain(g.ID, r.now)
			return fmt.Sprintf("phase Pending, %s: %s", e.Reason, r.message(g, e))
		default:
			return "phase " + string(g.phase)
		}
	}
}

func checkReason(want string) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		if g.phase != Pending {
			return r.state(g), false
		}
		e := r.s.Explain(g.ID, r.now)
		return r.state(g), string(e.Reason) == want
	}
}

func checkMessage(want string) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		if g.phase != Pending {
			return r.state(g), false
		}
		message := r.message(g, r.s.Explain(g.ID, r.now))
		return found("message %q", message), strings.Contains(message, want)
	}
}

// message is the sentence that the gang's owner reads.
func (r *run) message(g *gang, e engine.Explanation) string {
	return translate.Message(e, translate.Reader{
		Namespace: g.namespace, Team: g.Team,
		Time: func(t engine.Time) string { return "t+" + since(t).String() },
	})
}

func checkNodes(want []string) gangCheck {
	want = slices.Sorted(slices.Values(want))
	return func(r *run, g *gang) (finding, bool) {
		return r.state(g), g.occupies() && slices.Equal(slices.Sorted(slices.Values(g.nodes)), want)
	}
}

func checkRanks(want []string) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		return r.state(g), g.occupies() && slices.Equal(ranks(g.Berth.Slot), want)
	}
}

func checkWithin(label string, domains int) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		if !g.occupies() {
			return r.state(g), false
		}
		var values []string
		for _, node := range g.nodes {
			values = append(values, r.ledger.nodes[node].Labels[label])
		}
		values = distinct(values)
		return found("%s in %d: %s", label, len(values), strings.Join(values, ",")), len(values) <= domains
	}
}

func checkNumber(name string, want *bounds, value func(*gang) int64) gangCheck {
	return func(_ *run, g *gang) (finding, bool) {
		return found("%d %s", value(g), name), want.hold(float64(value(g)))
	}
}

func checkStart(notAfter time.Duration) gangCheck {
	return func(r *run, g *gang) (finding, bool) {
		if g.phase != Pending {
			return r.state(g), false
		}
		e := r.s.Explain(g.ID, r.now)
		if e.ETA == 0 {
			return r.state(g), false
		}
		return found("estimated start %s", since(e.ETA)), e.ETA <= instant(notAfter)
	}
}
