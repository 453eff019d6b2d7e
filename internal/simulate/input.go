package simulate

import (
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Input is everything that a run needs, checked.
type Input struct {
	Name, Description string
	Config            engine.Config
	Nodes             []engine.Node
	Pools             []engine.Pool
	// Cordons are the domains out of use at the start, by pool.
	Cordons map[string][][]string
	Teams   []*v1alpha1.Team
	Quotas  []*v1alpha1.Quota
	// Events are in order of time.
	Events []Event
	// Until is when the run ends.
	Until  time.Duration
	Expect []Expectation
}
