package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// TopologyPolicy says which of the possible slots is best.
// +kubebuilder:validation:Enum=Locality;Pack;Spread
type TopologyPolicy string

// The topology policies.
const (
	// PolicyLocality: the lowest common level first.
	PolicyLocality TopologyPolicy = "Locality"
	// PolicyPack: leave large holes whole first, locality second.
	PolicyPack TopologyPolicy = "Pack"
	// PolicySpread: far apart. Not yet supported.
	PolicySpread TopologyPolicy = "Spread"
)

// TopologyRequest says how close together a gang's pods must be.
// +kubebuilder:validation:XValidation:rule="!has(self.policy) || self.policy != 'Spread'",message="spec.topology.policy: Spread is not yet supported; use Locality or Pack"
type TopologyRequest struct {
	// required is the level of which one domain must hold the gang; it waits until one does. Default: none.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Required string `json:"required,omitempty"`

	// preferred is the level of which one domain should hold the gang; where none does, wider ones are tried.
	// Default: none.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Preferred string `json:"preferred,omitempty"`

	// policy says which of the possible slots is best: Locality or Pack; Spread is not yet supported. Default Locality.
	// +kubebuilder:default=Locality
	// +optional
	Policy TopologyPolicy `json:"policy,omitempty"`
}

// CommunicationPattern says which ranks talk to each other.
// +kubebuilder:validation:Enum=Ring;AllToAll
type CommunicationPattern string

// The communication patterns.
const (
	// PatternRing: rank i with rank i+1.
	PatternRing CommunicationPattern = "Ring"
	// PatternAllToAll: every rank with every other.
	PatternAllToAll CommunicationPattern = "AllToAll"
)

// CommunicationSpec says what the ranks of a gang exchange.
type CommunicationSpec struct {
	// bytesPerStep is how many bytes a pair of ranks exchanges in one step, such as 1Gi.
	BytesPerStep resource.Quantity `json:"bytesPerStep"`

	// pattern says which ranks exchange: Ring or AllToAll. Default Ring.
	// +kubebuilder:default=Ring
	// +optional
	Pattern CommunicationPattern `json:"pattern,omitempty"`
}
