package v1alpha1

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Placement says who places a role's pods.
// +kubebuilder:validation:Enum=Slot;Free
type Placement string

// The placements.
const (
	// PlacementSlot: the pods are part of the gang's slot.
	PlacementSlot Placement = "Slot"
	// PlacementFree: kube-scheduler places the pods anywhere off the pool; they ask for no accelerator.
	PlacementFree Placement = "Free"
)

// Group keeps consecutive ranks together: ranks k*size to k*size+size-1 share a domain of the level.
type Group struct {
	// size is the number of ranks in a group; it divides replicas, minReplicas, and the size of the group around it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16384
	Size int32 `json:"size"`
	// level is the level of which a group shares one domain: one of the pool's, or node.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=31
	Level string `json:"level"`
}

// Role is a set of identical pods inside a gang, each with a rank.
// +kubebuilder:validation:XValidation:rule="!has(self.pool)",message="roles[].pool: a pool per role is not yet supported; set spec.pool for all roles"
// +kubebuilder:validation:XValidation:rule="!has(self.minReplicas) || self.minReplicas <= (has(self.replicas) ? self.replicas : 1)",message="roles[].minReplicas: must be at most replicas; lower it or raise replicas"
// +kubebuilder:validation:XValidation:rule="!has(self.groups) || self.groups.all(g, (has(self.replicas) ? self.replicas : 1) % g.size == 0 && (!has(self.minReplicas) || self.minReplicas % g.size == 0))",message="roles[].groups[].size: must divide replicas and minReplicas, since groups are whole"
type Role struct {
	// name is the name of the role.
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9]{0,14}$`
	// +kubebuilder:validation:MaxLength=15
	Name string `json:"name"`

	// placement Slot places the pods as part of the gang's slot; Free leaves them to kube-scheduler, off the pool and
	// without accelerators. Default Slot.
	// +kubebuilder:default=Slot
	// +optional
	Placement Placement `json:"placement,omitempty"`

	// pool is the pool of the role, where that is not the gang's. Not yet supported.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Pool string `json:"pool,omitempty"`

	// replicas is the number of pods. 1 to 16384, default 1.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16384
	// +kubebuilder:default=1
	// +optional
	Replicas int32 `json:"replicas,omitempty"`

	// minReplicas is the number of pods that suffices; below replicas the role is elastic. Default: replicas.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16384
	// +optional
	MinReplicas *int32 `json:"minReplicas,omitempty"`

	// groups keep consecutive ranks together, outer groups first. At most 3. Default: none.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Groups []Group `json:"groups,omitempty"`

	// podFailurePolicy says which failures of a pod are final, as in batch/v1. Default: none is.
	// +optional
	PodFailurePolicy *batchv1.PodFailurePolicy `json:"podFailurePolicy,omitempty"`

	// template is the pod. restartPolicy defaults to Never; others are refused.
	Template corev1.PodTemplateSpec `json:"template"`
}

// Floor is the number of pods that suffices for the role to run.
func (r *Role) Floor() int32 {
	if r.MinReplicas != nil {
		return *r.MinReplicas
	}
	return r.Replicas
}

// InSlot is true when the role's pods are part of the gang's slot.
func (r *Role) InSlot() bool { return r.Placement != PlacementFree }
