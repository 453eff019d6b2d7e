package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// ResourceUsage is what a team has and uses of one resource of one pool.
type ResourceUsage struct {
	// pool is the name of the pool.
	// +kubebuilder:validation:MaxLength=63
	Pool string `json:"pool"`
	// resource is the name of the resource.
	// +kubebuilder:validation:MaxLength=317
	Resource string `json:"resource"`
	// guaranteed is what the team always gets back, after scaling where guarantees exceed what there is.
	// +optional
	Guaranteed resource.Quantity `json:"guaranteed"`
	// limit is what the team may use at most. Absent: no limit.
	// +optional
	Limit *resource.Quantity `json:"limit,omitempty"`
	// used is what planned, reserved and occupied berths hold.
	// +optional
	Used resource.Quantity `json:"used"`
	// borrowed is usage above the guarantee.
	// +optional
	Borrowed resource.Quantity `json:"borrowed"`
	// lent is the part of the idle guarantee that others use.
	// +optional
	Lent resource.Quantity `json:"lent"`
}

// AcceleratorUsage sums the accelerators of a team over all pools, each weighted as its pool says.
type AcceleratorUsage struct {
	// guaranteed is what the team always gets back.
	// +optional
	Guaranteed resource.Quantity `json:"guaranteed"`
	// used is what planned, reserved and occupied berths hold.
	// +optional
	Used resource.Quantity `json:"used"`
	// borrowed is usage above the guarantee.
	// +optional
	Borrowed resource.Quantity `json:"borrowed"`
	// lent is the part of the idle guarantee that others use.
	// +optional
	Lent resource.Quantity `json:"lent"`
}
