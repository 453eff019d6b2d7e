package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// What is what happened to a gang.
type What string

// The steps of a gang's life that are compared.
const (
	Promised  What = "Promised"
	Planned   What = "Planned"
	Started   What = "Started"
	Told      What = "Told"
	Spared    What = "Spared"
	Shrinks   What = "Shrinks"
	Grown     What = "Grown"
	Left      What = "Left"
	Released  What = "Released"
	Succeeded What = "Succeeded"
	Failed    What = "Failed"
)

// Step is one thing that happened to a gang.
type Step struct {
	// At is when, in time of the scenario.
	At   time.Duration
	Gang string
	What What
	// Where is the node of each rank, role after role.
	Where []string
	// Why names the victims of a plan, or the rule and the gang that another leaves for.
	Why string
}

// String leaves out when it happened, so that equal steps read alike.
func (s Step) String() string {
	text := string(s.What)
	if len(s.Where) > 0 {
		text += " on " + runs(s.Where)
	}
	if s.Why != "" {
		text += ", " + s.Why
	}
	return text
}

// runs writes down ranks that share a node as one.
func runs(nodes []string) string {
	var out []string
	for i := 0; i < len(nodes); {
		n := i
		for n < len(nodes) && nodes[n] == nodes[i] {
			n++
		}
		if n-i == 1 {
			out = append(out, nodes[i])
		} else {
			out = append(out, fmt.Sprintf("%dx%s", n-i, nodes[i]))
		}
		i = n
	}
	return strings.Join(out, " ")
}

// look is what is seen of a gang at some instant.
type look struct {
	berth *engine.Berth
	// runs is true once all pods of the berth's attempt were Ready.
	runs bool
}

// steps tells what lies between two looks at a gang.
func steps(gang string, before, now look) []Step {
	if state(now) < engine.Reserved {
		return waiting(gang, before, now)
	}
	same := state(before) >= engine.Reserved && before.berth.Attempt == now.berth.Attempt
	var out []Step
	if now.runs && (!same || !before.runs) {
		out = append(out, Step{Gang: gang, What: Started, Where: ranks(now.berth.Slot)})
	}
	var was *engine.Leaving
	if same {
		was = before.berth.Leaving
	}
	out = append(out, notices(gang, was, now.berth.Leaving)...)
	if same && before.runs && was == nil && now.berth.Leaving == nil && size(now) > size(before) {
		out = append(out, Step{Gang: gang, What: Grown, Where: ranks(now.berth.Slot)})
	}
	return out
}

// waiting tells how a gang came to wait, and for what.
func waiting(gang string, before, now look) []Step {
	var out []Step
	was, is := state(before), state(now)
	if was >= engine.Reserved && before.runs {
		out = append(out, Step{Gang: gang, What: Left})
	}
	switch {
	case is == engine.Future && was != engine.Future:
		out = append(out, Step{Gang: gang, What: Promised})
	case is == engine.Planned && (was != engine.Planned || before.berth.Since != now.berth.Since):
		out = append(out, Step{
			Gang: gang, What: Planned, Where: ranks(now.berth.Slot), Why: "victims " + victims(now.berth.Victims),
		})
	case is == nowhere && was == engine.Planned:
		out = append(out, Step{Gang: gang, What: Released})
	}
	return out
}

// notices tells what a gang in its berth was told between two looks. What a node's fault makes of it shows otherwise.
func notices(gang string, was, is *engine.Leaving) []Step {
	switch {
	case is != nil && is.Keep != nil:
		if was == nil || was.Keep == nil {
			return []Step{{Gang: gang, What: Shrinks, Where: ranks(*is.Keep), Why: "for " + is.For}}
		}
	case is != nil && was == nil && is.Rule != engine.ByFault:
		return []Step{{Gang: gang, What: Told, Why: strings.TrimSuffix(is.Rule.String()+" for "+is.For, " for ")}}
	case is == nil && was != nil && was.Keep == nil && was.Rule != engine.ByFault:
		return []Step{{Gang: gang, What: Spared}}
	}
	return nil
}

// nowhere is the state of a gang without a berth.
const nowhere = engine.BerthState(-1)

func state(l look) engine.BerthState {
	if l.berth == nil {
		return nowhere
	}
	return l.berth.State
}

func size(l look) int { return len(ranks(l.berth.Slot)) }

func ranks(slot engine.Slot) []string {
	var nodes []string
	for _, r := range slot.Roles {
		nodes = append(nodes, r.Nodes...)
	}
	return nodes
}

func victims(list []engine.Victim) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.Gang
	}
	slices.SortFunc(names, cmp.Compare)
	return strings.Join(names, " ")
}
