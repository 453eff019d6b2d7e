package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lifecycle says whether a gang is expected to end.
// +kubebuilder:validation:Enum=Batch;Service
type Lifecycle string

// The lifecycles.
const (
	// LifecycleBatch: the gang ends by itself.
	LifecycleBatch Lifecycle = "Batch"
	// LifecycleService: the gang never ends. Not yet supported.
	LifecycleService Lifecycle = "Service"
)

// Backfill says whether a gang may use room that is promised to another.
// +kubebuilder:validation:Enum=Never;Evictable
type Backfill string

// The ways to backfill.
const (
	// BackfillNever: the gang starts on promised room only if it ends before the promise falls due.
	BackfillNever Backfill = "Never"
	// BackfillEvictable: the gang may start on promised room, and is evicted when the promise falls due.
	BackfillEvictable Backfill = "Evictable"
)

// SuccessPolicy says when a gang has succeeded.
type SuccessPolicy struct {
	// roles are those whose success is the gang's; the others are stopped then. Default: all Slot roles.
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=15
	Roles []string `json:"roles"`
}

// RestartPolicy says how often a gang is started again.
type RestartPolicy struct {
	// maxRestarts is how many restarts of the whole gang follow failed pods; preemptions and node faults do not count.
	// 0 to 1000, default 3.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=3
	// +optional
	MaxRestarts *int32 `json:"maxRestarts,omitempty"`
}

// WorkloadReference names an existing object whose pods form the gang.
type WorkloadReference struct {
	// apiVersion is the group and version of the object, such as batch/v1.
	// +kubebuilder:validation:MaxLength=317
	APIVersion string `json:"apiVersion"`
	// kind is the kind of the object, such as Job.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// name is the name of the object, in the gang's namespace.
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// GangJobSpec is what a gang asks for.
// +kubebuilder:validation:XValidation:rule="!has(self.lifecycle) || self.lifecycle != 'Service' || !has(self.maxRuntime)",message="spec.maxRuntime: a Service never ends and has no maxRuntime; leave maxRuntime out or set lifecycle to Batch"
// +kubebuilder:validation:XValidation:rule="!has(self.lifecycle) || self.lifecycle != 'Service'",message="spec.lifecycle: Service is not yet supported; use Batch"
// +kubebuilder:validation:XValidation:rule="!has(self.workloadRef)",message="spec.workloadRef: adopting existing workloads is not yet supported; describe the pods in spec.roles"
// +kubebuilder:validation:XValidation:rule="!has(self.successPolicy) || self.successPolicy.roles.all(n, self.roles.exists(r, r.name == n && (!has(r.placement) || r.placement == 'Slot')))",message="spec.successPolicy.roles: every name must be that of a role of spec.roles with placement Slot"
// +kubebuilder:validation:XValidation:rule="self.roles.exists(r, !has(r.placement) || r.placement == 'Slot')",message="spec.roles: at least one role must have placement Slot, since the gang is placed by those"
// +kubebuilder:validation:XValidation:rule="(has(self.managedBy) ? self.managedBy : 'berth.dev/gangjob') == (has(oldSelf.managedBy) ? oldSelf.managedBy : 'berth.dev/gangjob')",message="spec.managedBy: cannot be changed; create another gang"
type GangJobSpec struct {
	// tier ranks the gang inside its team. Default: the team's defaultTier.
	// +optional
	Tier Tier `json:"tier,omitempty"`

	// priority orders gangs of one team and tier, the highest first. -1000 to 1000, default 0.
	// +kubebuilder:validation:Minimum=-1000
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=0
	// +optional
	Priority int32 `json:"priority,omitempty"`

	// pool is the pool that the gang runs in. Default: any that the team has a quota for and that has the levels asked
	// for, in the quota's order.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Pool string `json:"pool,omitempty"`

	// lifecycle is Batch, or Service for a gang that never ends, which is not yet supported. Default Batch.
	// +kubebuilder:default=Batch
	// +optional
	Lifecycle Lifecycle `json:"lifecycle,omitempty"`

	// roles are the sets of identical pods that make up the gang. 1 to 16.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Roles []Role `json:"roles"`

	// successPolicy says when the gang has succeeded. Default: when all Slot roles have.
	// +optional
	SuccessPolicy *SuccessPolicy `json:"successPolicy,omitempty"`

	// topology says how close together the pods must be. Default: as close as possible, no requirement.
	// +optional
	Topology *TopologyRequest `json:"topology,omitempty"`

	// communication says what the ranks exchange, to estimate how long that takes in a slot. Default: no estimate.
	// +optional
	Communication *CommunicationSpec `json:"communication,omitempty"`

	// runtime says which framework finds its peers through the environment. Default: None.
	// +optional
	Runtime *RuntimeSpec `json:"runtime,omitempty"`

	// checkpoint says how the gang is told to save its work. Default: it cannot.
	// +optional
	Checkpoint *CheckpointSpec `json:"checkpoint,omitempty"`

	// backfill Evictable lets the gang run on room that is promised to another, and be evicted when that one's time
	// comes. Default Never.
	// +kubebuilder:default=Never
	// +optional
	Backfill Backfill `json:"backfill,omitempty"`

	// maxRuntime is for how long the gang may run, over all attempts, less work lost to preemptions and faults.
	// Default: the quota's, else unlimited.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`
	// +optional
	MaxRuntime *metav1.Duration `json:"maxRuntime,omitempty"`

	// restart says how often the whole gang is started again after a failed pod. Default: 3 times.
	// +kubebuilder:default={}
	// +optional
	Restart RestartPolicy `json:"restart,omitzero"`

	// gates are names that others remove before the gang may queue. Default: none.
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=317
	// +optional
	Gates []string `json:"gates,omitempty"`

	// suspend holds the gang: it does not start, and leaves its berth if it has one. Default false.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// workloadRef adopts an existing workload in place of roles[].template. Not yet supported.
	// +optional
	WorkloadRef *WorkloadReference `json:"workloadRef,omitempty"`

	// managedBy names who looks after the gang; others than the default are left alone. Default berth.dev/gangjob.
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:default="berth.dev/gangjob"
	// +optional
	ManagedBy string `json:"managedBy,omitempty"`

	// ttlSecondsAfterFinished is how many seconds after its end the gang is deleted. Default: never.
	// +kubebuilder:validation:Minimum=0
	// +optional
	TTLSecondsAfterFinished *int32 `json:"ttlSecondsAfterFinished,omitempty"`
}
