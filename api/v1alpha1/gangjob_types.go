package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// GangJob is a set of pods that start together on one coherent slot, or not at all.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,shortName=gj,categories=berth
// +kubebuilder:printcolumn:name="Team",type=string,JSONPath=`.status.team`
// +kubebuilder:printcolumn:name="Tier",type=string,JSONPath=`.spec.tier`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.reason`
// +kubebuilder:printcolumn:name="Pods",type=string,JSONPath=`.status.readyPods`
// +kubebuilder:printcolumn:name="GPUs",type=string,JSONPath=`.status.accelerators`
// +kubebuilder:printcolumn:name="Domain",type=string,JSONPath=`.status.assignment.domain`
// +kubebuilder:printcolumn:name="ETA",type=string,JSONPath=`.status.eta`
// +kubebuilder:printcolumn:name="Priority",type=integer,JSONPath=`.spec.priority`,priority=1
// +kubebuilder:printcolumn:name="Pool",type=string,JSONPath=`.status.assignment.pool`,priority=1
// +kubebuilder:printcolumn:name="Attempts",type=integer,JSONPath=`.status.attempts`,priority=1
// +kubebuilder:printcolumn:name="Preemptions",type=integer,JSONPath=`.status.preemptions`,priority=1
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.message`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type GangJob struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the gang asks for.
	Spec GangJobSpec `json:"spec"`
	// status is what became of it. It is the ledger of berths: the manager alone writes it.
	// +optional
	Status GangJobStatus `json:"status,omitzero"`
}

// GangJobList is a list of gangs.
//
// +kubebuilder:object:root=true
type GangJobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []GangJob `json:"items"`
}
