package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase sums up a gang's conditions in one word. New values may come.
type Phase string

// The phases. Succeeded and Failed are final; no gang passes through them on its way to something else.
const (
	// PhasePending: the gang waits; its reason says for what.
	PhasePending Phase = "Pending"
	// PhaseAdmitted: the gang was let into its berth, its pods are not all Ready yet.
	PhaseAdmitted Phase = "Admitted"
	// PhaseRunning: all pods are Ready or have succeeded.
	PhaseRunning Phase = "Running"
	// PhasePreempting: the gang was told to leave its berth, or is being stopped to start again.
	PhasePreempting Phase = "Preempting"
	// PhaseSucceeded: the gang has ended well.
	PhaseSucceeded Phase = "Succeeded"
	// PhaseFailed: the gang has ended badly.
	PhaseFailed Phase = "Failed"
)

// Finished is true of the phases that are final.
func (p Phase) Finished() bool { return p == PhaseSucceeded || p == PhaseFailed }

// CheckpointStatus is what is known of a gang's saved work.
type CheckpointStatus struct {
	// lastAckTime is when the last checkpoint was acknowledged.
	// +optional
	LastAckTime *metav1.Time `json:"lastAckTime,omitempty"`
	// lastStep is the step that it was of.
	// +optional
	LastStep int64 `json:"lastStep,omitempty"`
}

// CommunicationStatus is how long a step's communication takes, by the pool's links.
type CommunicationStatus struct {
	// estimate is the time in the gang's slot.
	// +optional
	Estimate metav1.Duration `json:"estimate,omitzero"`
	// bestPossible is the time in the best slot of the empty pool.
	// +optional
	BestPossible metav1.Duration `json:"bestPossible,omitzero"`
}

// GangJobStatus is what became of a gang.
type GangJobStatus struct {
	// observedGeneration is the generation of the spec that the status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// phase sums up the conditions: Pending, Admitted, Running, Preempting, Succeeded or Failed. New values may come.
	// +kubebuilder:validation:MaxLength=32
	// +optional
	Phase Phase `json:"phase,omitempty"`

	// reason is why, in one word.
	// +kubebuilder:validation:MaxLength=64
	// +optional
	Reason string `json:"reason,omitempty"`

	// message is why, in one sentence with numbers.
	// +kubebuilder:validation:MaxLength=2048
	// +optional
	Message string `json:"message,omitempty"`

	// team is the team that the gang counts for.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Team string `json:"team,omitempty"`

	// queuedTime is from when the gang waits in its team's order.
	// +optional
	QueuedTime *metav1.Time `json:"queuedTime,omitempty"`

	// attempts is how many attempts there were.
	// +optional
	Attempts int32 `json:"attempts"`

	// preemptions is how often the gang was told to leave for another.
	// +optional
	Preemptions int32 `json:"preemptions"`

	// restarts is how often the whole gang was started again after a failed pod.
	// +optional
	Restarts int32 `json:"restarts"`

	// accelerators is how many the gang asks for, or holds if it has a berth.
	// +optional
	Accelerators resource.Quantity `json:"accelerators,omitempty"`

	// readyPods is how many pods are Ready or have succeeded, of how many, as "6/8".
	// +kubebuilder:validation:MaxLength=32
	// +optional
	ReadyPods string `json:"readyPods,omitempty"`

	// eta is when the gang is expected to start. Absent: not known; the message says why.
	// +optional
	ETA *metav1.Time `json:"eta,omitempty"`

	// succeeded is 1 when the gang has ended well, else 0.
	// +optional
	Succeeded int32 `json:"succeeded"`

	// failed is 1 when the gang has ended badly, else 0.
	// +optional
	Failed int32 `json:"failed"`

	// berth is the slot that is held for the gang. Absent: none.
	// +optional
	Berth *BerthStatus `json:"berth,omitempty"`

	// preemption is why and until when the gang is told to leave its berth. Absent: it is not.
	// +optional
	Preemption *PreemptionStatus `json:"preemption,omitempty"`

	// assignment says which nodes the berth has. Absent: there is none.
	// +optional
	Assignment *Assignment `json:"assignment,omitempty"`

	// checkpoints is what is known of the gang's saved work.
	// +optional
	Checkpoints *CheckpointStatus `json:"checkpoints,omitempty"`

	// communication is how long a step's communication takes.
	// +optional
	Communication *CommunicationStatus `json:"communication,omitempty"`

	// history is what later decisions rest on.
	// +optional
	History *GangHistory `json:"history,omitempty"`

	// conditions are Reserved, Admitted, PodsReady, Preempting and Finished.
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
