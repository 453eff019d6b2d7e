package v1alpha1

// Tier ranks gangs inside a team: Production before Batch before Interactive. A higher tier of a team may take the room
// of a lower one.
// +kubebuilder:validation:Enum=Production;Batch;Interactive
type Tier string

// The tiers, the highest first.
const (
	TierProduction  Tier = "Production"
	TierBatch       Tier = "Batch"
	TierInteractive Tier = "Interactive"
)

// Tiers lists all tiers, the highest first.
func Tiers() []Tier { return []Tier{TierProduction, TierBatch, TierInteractive} }

// PriorityClassName is the PriorityClass that the pods of gangs of the tier carry.
func (t Tier) PriorityClassName() string {
	switch t {
	case TierProduction:
		return "berth-production"
	case TierInteractive:
		return "berth-interactive"
	default:
		return "berth-batch"
	}
}
