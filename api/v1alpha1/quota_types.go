package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TierLimit bounds what gangs of one tier may use together.
type TierLimit struct {
	// tier is the tier that is bounded.
	Tier Tier `json:"tier"`
	// limit is what gangs of the tier may use together, in units of the resource.
	Limit resource.Quantity `json:"limit"`
}

// ResourceQuota is a team's right to one resource of one pool.
// +kubebuilder:validation:XValidation:rule="!has(self.tiers) || self.tiers.size() == 0",message="tiers: limits per tier are not yet supported; leave tiers out"
type ResourceQuota struct {
	// pool is the name of the pool, the root TopologyDomain.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Pool string `json:"pool"`

	// resource is the name of a resource of the pool's nodes, such as nvidia.com/gpu.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	Resource string `json:"resource"`

	// guaranteed is what the team always gets back, in units of the resource. Default 0.
	// +kubebuilder:default="0"
	// +optional
	Guaranteed resource.Quantity `json:"guaranteed"`

	// limit is what the team may use at most, borrowing included, in units of the resource. Default: no limit.
	// +optional
	Limit *resource.Quantity `json:"limit,omitempty"`

	// lendable is how much of the guarantee others may use while it is idle, in units of the resource. Default: all of
	// it.
	// +optional
	Lendable *resource.Quantity `json:"lendable,omitempty"`

	// tiers bounds what gangs of one tier may use. Not yet supported. Default: no bounds.
	// +listType=map
	// +listMapKey=tier
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Tiers []TierLimit `json:"tiers,omitempty"`
}

// QuotaSpec says how much a team has.
type QuotaSpec struct {
	// team is the team that the quota is for; the quota has the same name.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Team string `json:"team"`

	// resources are the team's rights per pool and resource. The order of the pools is the order in which gangs that
	// name no pool try them. Resources without an entry are not limited. Default: none.
	// +listType=map
	// +listMapKey=pool
	// +listMapKey=resource
	// +kubebuilder:validation:MaxItems=64
	// +optional
	Resources []ResourceQuota `json:"resources,omitempty"`

	// minRuntime is for how long a gang of the team is not evicted after its start, except by a higher tier of its own
	// team. At most 4h, unless the manager is configured otherwise. Default 0s.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`
	// +optional
	MinRuntime *metav1.Duration `json:"minRuntime,omitempty"`

	// maxRuntime is the default and the cap of maxRuntime of the team's gangs. Default: none.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`
	// +optional
	MaxRuntime *metav1.Duration `json:"maxRuntime,omitempty"`
}

// QuotaStatus says what is used of a quota.
type QuotaStatus struct {
	// observedGeneration is the generation of the spec that the status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// accelerators sums the accelerators that the quota names over all pools.
	// +optional
	Accelerators AcceleratorUsage `json:"accelerators,omitzero"`

	// resources is the usage per pool and resource.
	// +listType=map
	// +listMapKey=pool
	// +listMapKey=resource
	// +kubebuilder:validation:MaxItems=64
	// +optional
	Resources []ResourceUsage `json:"resources,omitempty"`

	// conditions are Active and Overcommitted.
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Quota says how much a team is guaranteed and may use at most.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=quota,categories=berth
// +kubebuilder:printcolumn:name="Guaranteed",type=string,JSONPath=`.status.accelerators.guaranteed`
// +kubebuilder:printcolumn:name="Used",type=string,JSONPath=`.status.accelerators.used`
// +kubebuilder:printcolumn:name="Borrowed",type=string,JSONPath=`.status.accelerators.borrowed`
// +kubebuilder:printcolumn:name="Lent",type=string,JSONPath=`.status.accelerators.lent`
// +kubebuilder:printcolumn:name="Active",type=string,JSONPath=`.status.conditions[?(@.type=="Active")].status`
// +kubebuilder:printcolumn:name="Overcommitted",type=string,JSONPath=`.status.conditions[?(@.type=="Overcommitted")].status`
// +kubebuilder:printcolumn:name="Min-Runtime",type=string,JSONPath=`.spec.minRuntime`,priority=1
// +kubebuilder:printcolumn:name="Max-Runtime",type=string,JSONPath=`.spec.maxRuntime`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name == self.spec.team",message="metadata.name: must equal spec.team, since a team has one quota, named like it; rename the quota or correct spec.team"
type Quota struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says how much the team has.
	Spec QuotaSpec `json:"spec"`
	// status says what is used of it.
	// +optional
	Status QuotaStatus `json:"status,omitzero"`
}

// QuotaList is a list of quotas.
//
// +kubebuilder:object:root=true
type QuotaList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Quota `json:"items"`
}
