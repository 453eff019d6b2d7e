package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// Expectation is one thing that must hold at some instant.
type Expectation struct {
	// Line is where the file says so.
	Line int
	when when
	at   time.Duration
	// says is the expectation in words, without its time.
	says    string
	subject subject
}

// subject is what an expectation looks at.
type subject interface {
	look(r *run) (found finding, holds bool)
}

// finding says what was found where an expectation does not hold; it is asked only when that is to be told.
type finding func() string

func found(format string, args ...any) finding {
	return func() string { return fmt.Sprintf(format, args...) }
}

type when int8

const (
	atInstant when = iota
	byInstant
	always
)

func (e Expectation) String() string {
	switch e.when {
	case atInstant:
		return fmt.Sprintf("at %s %s", Offset(e.at), e.says)
	case byInstant:
		return fmt.Sprintf("by %s %s", Offset(e.at), e.says)
	default:
		return "always " + e.says
	}
}

// Failure is something that did not hold.
type Failure struct {
	// Line is that of the expectation; zero: what is always checked.
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

func (f Failure) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Message)
}

// watch looks at expectations when their time has come.
type watch struct {
	// at are those of an instant, by time; by and always those that are open.
	at, by, always []Expectation
}

func newWatch(list []Expectation) *watch {
	w := &watch{}
	for _, e := range list {
		switch e.when {
		case atInstant:
			w.at = append(w.at, e)
		case byInstant:
			w.by = append(w.by, e)
		default:
			w.always = append(w.always, e)
		}
	}
	slices.SortStableFunc(w.at, func(a, b Expectation) int { return cmp.Compare(a.at, b.at) })
	return w
}

// next is when an expectation wants to be looked at. One of by is looked at whenever something happens, and at its own
// instant for the last time.
func (w *watch) next(now engine.Time) (engine.Time, bool) {
	var next engine.Time
	found := false
	for _, e := range w.by {
		if at := instant(e.at); at > now && (!found || at < next) {
			next, found = at, true
		}
	}
	if len(w.at) > 0 {
		if at := instant(w.at[0].at); !found || at < next {
			next, found = at, true
		}
	}
	return next, found
}

// look looks at what is to be looked at now. What does not hold is a failure, once.
func (w *watch) look(r *run) {
	for len(w.at) > 0 && instant(w.at[0].at) <= r.now {
		if what, holds := w.at[0].subject.look(r); !holds {
			r.expected(w.at[0], what())
		}
		w.at = w.at[1:]
	}
	var by []Expectation
	for _, e := range w.by {
		what, holds := e.subject.look(r)
		switch {
		case holds:
		case instant(e.at) <= r.now:
			r.expected(e, what())
		default:
			by = append(by, e)
		}
	}
	w.by = by
	var always []Expectation
	for _, e := range w.always {
		if what, holds := e.subject.look(r); !holds {
			r.expected(e, fmt.Sprintf("%s at %s", what(), since(r.now)))
			continue
		}
		always = append(always, e)
	}
	w.always = always
}

func (r *run) expected(e Expectation, what string) {
	r.fail(e.Line, fmt.Sprintf("%s: found %s", e, what))
}

func (r *run) fail(line int, message string) {
	r.failures = append(r.failures, Failure{Line: line, Message: message})
}
