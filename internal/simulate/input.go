package simulate

import (
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/engine"
)

// Input is everything that a run needs, checked.
type Input struct {
	Name, Description string
	Config            engine.Config
	// Settings are what Config was read from, defaults filled in.
	Settings config.Policy
	Nodes    []engine.Node
	Pools    []engine.Pool
	// Domains are the manifests that Pools and Cordons were read from.
	Domains []*v1alpha1.TopologyDomain
	// Cordons are the domains out of use at the start, by pool.
	Cordons map[string][][]string
	Teams   []*v1alpha1.Team
	Quotas  []*v1alpha1.Quota
	// Events are in order of time.
	Events []Event
	// Until is when the run ends; zero: when nothing can happen any more.
	Until time.Duration
	// Measure is up to when the numbers of the run are taken; zero: up to its end. What comes after the last submission of
	// a trace says nothing of a cluster in use.
	Measure time.Duration
	Expect  []Expectation
}
