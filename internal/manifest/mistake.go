package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mistake is one thing that is wrong with a file.
type Mistake struct {
	// Line counts from 1; zero: the file as a whole.
	Line int
	// Path is the field, such as spec.roles[0].replicas; empty: the document.
	Path    string
	Message string
}

func (m Mistake) String() string {
	if m.Path == "" {
		return fmt.Sprintf("line %d: %s", m.Line, m.Message)
	}
	return fmt.Sprintf("line %d: %s: %s", m.Line, m.Path, m.Message)
}

// Mistakes is an error that lists everything wrong with a file.
type Mistakes []Mistake

func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.String()
	}
	return strings.Join(lines, "\n")
}

// Sort orders mistakes by line and drops repetitions.
func (m Mistakes) Sort() Mistakes {
	slices.SortStableFunc(m, func(a, b Mistake) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(m)
}
