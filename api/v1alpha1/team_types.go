package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// StopPolicy says whether a team's gangs may start and go on.
// +kubebuilder:validation:Enum=None;Hold;Drain
type StopPolicy string

// The stop policies.
const (
	// StopNone: gangs start and run.
	StopNone StopPolicy = "None"
	// StopHold: no gang starts; those that run go on.
	StopHold StopPolicy = "Hold"
	// StopDrain: no gang starts; those that run are told to leave.
	StopDrain StopPolicy = "Drain"
)

// TeamSpec says who belongs to a team and what its gangs may ask for.
type TeamSpec struct {
	// parent is the team whose guarantee covers this team's. Default: none, the team stands at the root of the tree.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Parent string `json:"parent,omitempty"`

	// weight is the share of idle capacity that the team is due, relative to its siblings. 1 to 1000, default 1.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=1
	// +optional
	Weight int32 `json:"weight,omitempty"`

	// namespaces are the namespaces whose gangs are the team's. Default: none beyond namespaceSelector's.
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	// +optional
	Namespaces []string `json:"namespaces,omitempty"`

	// namespaceSelector adds the namespaces whose labels it matches. Default: none; an empty selector matches all.
	// +optional
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`

	// tiers are those that the team's gangs may ask for. Default: all.
	// +listType=set
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Tiers []Tier `json:"tiers,omitempty"`

	// defaultTier is the tier of gangs that name none. Default Batch, or the first of tiers where those do not hold it.
	// +optional
	DefaultTier Tier `json:"defaultTier,omitempty"`

	// stopPolicy None lets gangs start and run, Hold lets none start, Drain also tells those that run to leave.
	// Default None.
	// +kubebuilder:default=None
	// +optional
	StopPolicy StopPolicy `json:"stopPolicy,omitempty"`
}

// TeamStatus says what a team has and uses.
type TeamStatus struct {
	// observedGeneration is the generation of the spec that the status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// namespaces are those that the team has, sorted by name.
	// +listType=set
	// +kubebuilder:validation:MaxItems=4096
	// +optional
	Namespaces []string `json:"namespaces,omitempty"`

	// pending is the number of the team's own gangs that wait.
	// +optional
	Pending int32 `json:"pending"`

	// admitted is the number of the team's own gangs that hold an occupied or reserved berth.
	// +optional
	Admitted int32 `json:"admitted"`

	// preempting is the number of the team's own gangs that are leaving their berth.
	// +optional
	Preempting int32 `json:"preempting"`

	// accelerators sums the accelerators of the team and of those below it over all pools.
	// +optional
	Accelerators AcceleratorUsage `json:"accelerators,omitzero"`

	// resources is the usage of the team and of those below it, per pool and resource.
	// +listType=map
	// +listMapKey=pool
	// +listMapKey=resource
	// +kubebuilder:validation:MaxItems=64
	// +optional
	Resources []ResourceUsage `json:"resources,omitempty"`

	// dominantShare is the largest of the team's shares, usage above the guarantee by capacity of the pool by weight, as
	// a decimal such as "0.125".
	// +kubebuilder:validation:MaxLength=32
	// +optional
	DominantShare string `json:"dominantShare,omitempty"`

	// dominantResource is the pool and resource of the dominant share, as "pool/resource".
	// +kubebuilder:validation:MaxLength=512
	// +optional
	DominantResource string `json:"dominantResource,omitempty"`

	// conditions are Active, NamespaceConflict and ParentCycle.
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Team is a group of people that shares a guarantee: it owns namespaces and stands in a tree of teams.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=team,categories=berth
// +kubebuilder:printcolumn:name="Parent",type=string,JSONPath=`.spec.parent`
// +kubebuilder:printcolumn:name="Weight",type=integer,JSONPath=`.spec.weight`
// +kubebuilder:printcolumn:name="Pending",type=integer,JSONPath=`.status.pending`
// +kubebuilder:printcolumn:name="Admitted",type=integer,JSONPath=`.status.admitted`
// +kubebuilder:printcolumn:name="Preempting",type=integer,JSONPath=`.status.preempting`
// +kubebuilder:printcolumn:name="Guaranteed",type=string,JSONPath=`.status.accelerators.guaranteed`
// +kubebuilder:printcolumn:name="Used",type=string,JSONPath=`.status.accelerators.used`
// +kubebuilder:printcolumn:name="Borrowed",type=string,JSONPath=`.status.accelerators.borrowed`
// +kubebuilder:printcolumn:name="Lent",type=string,JSONPath=`.status.accelerators.lent`
// +kubebuilder:printcolumn:name="Share",type=string,JSONPath=`.status.dominantShare`
// +kubebuilder:printcolumn:name="Stop",type=string,JSONPath=`.spec.stopPolicy`,priority=1
// +kubebuilder:printcolumn:name="Namespaces",type=string,JSONPath=`.status.namespaces`,priority=1
// +kubebuilder:printcolumn:name="Dominant",type=string,JSONPath=`.status.dominantResource`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 63",message="metadata.name: a team's name is at most 63 characters long, since it is the value of a label; choose a shorter one"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(self.spec.parent) || self.spec.parent != self.metadata.name",message="spec.parent: a team cannot be its own parent; name another team or leave it out"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(self.spec.defaultTier) || !has(self.spec.tiers) || self.spec.tiers.size() == 0 || self.spec.defaultTier in self.spec.tiers",message="spec.defaultTier: must be one of spec.tiers; add it there or choose another"
type Team struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says who belongs to the team and what its gangs may ask for.
	// +optional
	Spec TeamSpec `json:"spec,omitzero"`
	// status says what the team has and uses.
	// +optional
	Status TeamStatus `json:"status,omitzero"`
}

// TeamList is a list of teams.
//
// +kubebuilder:object:root=true
type TeamList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Team `json:"items"`
}
