package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DomainHealth sums up the nodes of a domain.
// +kubebuilder:validation:Enum=Healthy;Degraded;Unhealthy;Cordoned;Empty
type DomainHealth string

// The states of a domain.
const (
	// DomainHealthy: every node can be used.
	DomainHealthy DomainHealth = "Healthy"
	// DomainDegraded: some nodes cannot be used.
	DomainDegraded DomainHealth = "Degraded"
	// DomainUnhealthy: no node can be used.
	DomainUnhealthy DomainHealth = "Unhealthy"
	// DomainCordoned: the domain, or one around it, was taken out of use.
	DomainCordoned DomainHealth = "Cordoned"
	// DomainEmpty: no node is registered.
	DomainEmpty DomainHealth = "Empty"
)

// AcceleratorCount counts the accelerators of a domain, each weighted as its pool says.
type AcceleratorCount struct {
	// total is what the registered nodes hold.
	// +optional
	Total resource.Quantity `json:"total"`
	// free is what is idle on nodes that can be used.
	// +optional
	Free resource.Quantity `json:"free"`
}

// TopologyDomainStatus is the live map of a domain.
type TopologyDomainStatus struct {
	// observedGeneration is the generation of the spec that the status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// pool is the pool that the domain belongs to; a pool's own name on pools.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Pool string `json:"pool,omitempty"`

	// level is the level of the domain; "pool" on pools.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Level string `json:"level,omitempty"`

	// path is the domain's path with slashes, such as s3/r12; empty on pools.
	// +kubebuilder:validation:MaxLength=600
	// +optional
	Path string `json:"path,omitempty"`

	// nodes is the number of registered nodes.
	// +optional
	Nodes int32 `json:"nodes"`

	// readyNodes is the number of nodes that are Ready and not cordoned.
	// +optional
	ReadyNodes int32 `json:"readyNodes"`

	// accelerators counts those of the domain.
	// +optional
	Accelerators AcceleratorCount `json:"accelerators,omitzero"`

	// largestSlot is the number of accelerators on wholly free nodes of the domain that can be used.
	// +optional
	LargestSlot resource.Quantity `json:"largestSlot,omitempty"`

	// fragmentation is the share of idle accelerators stranded on nodes that are not wholly free, from "0.000" to
	// "1.000".
	// +kubebuilder:validation:MaxLength=16
	// +optional
	Fragmentation string `json:"fragmentation,omitempty"`

	// health sums up the nodes of the domain.
	// +optional
	Health DomainHealth `json:"health,omitempty"`

	// conditions are Active and Overlapping, on pools.
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// TopologyDomain is a pool of accelerators on one fabric, or one domain of such a pool: a rack, a spine.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=td,categories=berth
// +kubebuilder:printcolumn:name="Pool",type=string,JSONPath=`.status.pool`
// +kubebuilder:printcolumn:name="Level",type=string,JSONPath=`.status.level`
// +kubebuilder:printcolumn:name="Nodes",type=integer,JSONPath=`.status.nodes`
// +kubebuilder:printcolumn:name="Total",type=string,JSONPath=`.status.accelerators.total`
// +kubebuilder:printcolumn:name="Free",type=string,JSONPath=`.status.accelerators.free`
// +kubebuilder:printcolumn:name="Largest Slot",type=string,JSONPath=`.status.largestSlot`
// +kubebuilder:printcolumn:name="Frag",type=string,JSONPath=`.status.fragmentation`
// +kubebuilder:printcolumn:name="Health",type=string,JSONPath=`.status.health`
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyNodes`,priority=1
// +kubebuilder:printcolumn:name="Path",type=string,JSONPath=`.status.path`,priority=1
// +kubebuilder:printcolumn:name="Cordoned",type=boolean,JSONPath=`.spec.cordoned`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="has(self.spec.pool) || self.metadata.name.size() <= 63",message="metadata.name: a pool's name is at most 63 characters long, since it is the value of a label; choose a shorter one"
type TopologyDomain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the pool, or says which domain of a pool this is.
	Spec TopologyDomainSpec `json:"spec"`
	// status is the live map of the domain.
	// +optional
	Status TopologyDomainStatus `json:"status,omitzero"`
}

// IsPool is true of a root, false of a domain of a pool.
func (d *TopologyDomain) IsPool() bool { return d.Spec.Pool == "" }

// TopologyDomainList is a list of pools and domains.
//
// +kubebuilder:object:root=true
type TopologyDomainList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TopologyDomain `json:"items"`
}
