package defaults

import (
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Team fills a team.
func Team(t *v1alpha1.Team) {
	or(&t.Spec.Weight, 1)
	or(&t.Spec.StopPolicy, v1alpha1.StopNone)
	or(&t.Spec.DefaultTier, Tier(t))
}

// Tier is the tier of a team's gangs that name none: the team's own default, else Batch, else the first that the team
// allows. Gangs without a team (nil) are of tier Batch.
func Tier(t *v1alpha1.Team) v1alpha1.Tier {
	switch {
	case t == nil:
		return v1alpha1.TierBatch
	case t.Spec.DefaultTier != "":
		return t.Spec.DefaultTier
	case len(t.Spec.Tiers) == 0 || slices.Contains(t.Spec.Tiers, v1alpha1.TierBatch):
		return v1alpha1.TierBatch
	default:
		return t.Spec.Tiers[0]
	}
}
