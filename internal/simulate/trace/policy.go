package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/internal/simulate"
	"github.com/berth-dev/berth/internal/simulate/baseline"
)

// Policies are the names of the deciders: Berth's engine and what it is compared with.
var Policies = []string{"berth", "first-fit", "random", "spread"}

// Scheduler returns the decider of a policy; nil stands for the engine.
func Scheduler(policy string, seed uint64) (simulate.Scheduler, error) {
	switch policy {
	case "berth":
		return nil, nil
	case "first-fit":
		return baseline.New(baseline.FirstFit{}), nil
	case "random":
		return baseline.New(baseline.NewRandom(seed)), nil
	case "spread":
		return baseline.New(baseline.Spread{}), nil
	default:
		return nil, fmt.Errorf("unknown policy %q, want one of %s", policy, strings.Join(Policies, ", "))
	}
}

// Known reports whether there is such a policy.
func Known(policy string) bool { return slices.Contains(Policies, policy) }
