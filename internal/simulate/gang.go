package simulate

import (
	"github.com/berth-dev/berth/internal/engine"
)

// Phase is where a gang is in its life, in the words of the API.
type Phase string

// The phases.
const (
	Pending    Phase = "Pending"
	Admitted   Phase = "Admitted"
	Running    Phase = "Running"
	Preempting Phase = "Preempting"
	Succeeded  Phase = "Succeeded"
	Failed     Phase = "Failed"
)

var allPhases = []Phase{Pending, Admitted, Running, Preempting, Succeeded, Failed}

// gang is one gang of a run: what the engine is told of it, and what the run knows besides.
type gang struct {
	engine.Gang
	namespace string
	// order counts submissions.
	order   int
	job     *Job
	program Program
	work    work
	phase   Phase
	// stay counts what has happened to the gang; what was foreseen before no longer holds.
	stay int
	// leaving is set from the notice until the pods are gone.
	leaving *departure
	// shrinkTo is the slot that is left when the surplus pods are gone.
	shrinkTo *engine.Slot
	// dead is true when a node failed under the gang and no other slot was found yet.
	dead bool

	attempts                      int
	submitted, admitted, finished engine.Time
	preemptions, restarts         int64
	// accelerators of the present slot, or of the last one.
	accelerators int64
	// lost is work lost, in accelerators times nanoseconds.
	lost float64
	// nodes and level are those of the present slot or of the last one.
	nodes          []string
	level          string
	estimate, best int64
	// recent are evictions since something other than the engine last changed anything.
	recent recentEvictions
}

// recentEvictions counts evictions within one undisturbed stretch of the run.
type recentEvictions struct {
	stretch, count int
}

// over reports whether nothing can happen to the gang any more.
func (g *gang) over() bool { return g.phase == Succeeded || g.phase == Failed }

// occupies reports whether the gang's pods hold their nodes.
func (g *gang) occupies() bool { return g.Berth != nil && g.Berth.State == engine.Occupied && !g.dead }

// ranks lists the node of each rank, role after role.
func ranks(slot engine.Slot) []string {
	var nodes []string
	for _, role := range slot.Roles {
		nodes = append(nodes, role.Nodes...)
	}
	return nodes
}
