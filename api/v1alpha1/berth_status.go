package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BerthState says how firmly a slot is held.
// +kubebuilder:validation:Enum=Future;Planned;Reserved;Occupied
type BerthState string

// The states of a berth.
const (
	// BerthFuture: the slot is promised for a later time.
	BerthFuture BerthState = "Future"
	// BerthPlanned: the slot is held, and victims are leaving it.
	BerthPlanned BerthState = "Planned"
	// BerthReserved: the slot is free and held; the children are not released yet.
	BerthReserved BerthState = "Reserved"
	// BerthOccupied: the children were released into the slot.
	BerthOccupied BerthState = "Occupied"
)

// Counts is true of the states that count as usage.
func (s BerthState) Counts() bool {
	return s == BerthPlanned || s == BerthReserved || s == BerthOccupied
}

// BerthVictim is a gang that leaves for this one.
type BerthVictim struct {
	// uid is the gang's UID.
	// +kubebuilder:validation:MaxLength=64
	UID string `json:"uid"`
	// attempt is the attempt of it that leaves.
	Attempt int32 `json:"attempt"`
	// part is true when only its surplus pods leave, and the attempt goes on without them.
	// +optional
	Part bool `json:"part,omitempty"`
}

// BerthStatus is the slot that is held for a gang; its nodes are in the assignment.
type BerthStatus struct {
	// state says how firmly the slot is held.
	State BerthState `json:"state"`

	// attempt is the attempt that the slot is for, from 1.
	Attempt int32 `json:"attempt"`

	// plannedAt is when the slot was decided.
	// +optional
	PlannedAt *metav1.Time `json:"plannedAt,omitempty"`

	// notBefore is when a Future berth falls due.
	// +optional
	NotBefore *metav1.Time `json:"notBefore,omitempty"`

	// basisUID is the UID of the gang on whose end notBefore rests.
	// +kubebuilder:validation:MaxLength=64
	// +optional
	BasisUID string `json:"basisUID,omitempty"`

	// victims are the gangs that leave for a Planned berth.
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=4096
	// +optional
	Victims []BerthVictim `json:"victims,omitempty"`
}

// PreemptionStatus says why and until when a gang is told to leave its berth.
type PreemptionStatus struct {
	// byUID is the UID of the gang that it leaves for. Absent: for none.
	// +kubebuilder:validation:MaxLength=64
	// +optional
	ByUID string `json:"byUID,omitempty"`

	// rule is the rule that allows it: Tier, Reclaim, Fairness, Move, Promise, Fault, Drain, Suspend, Restart or
	// MaxRuntime.
	// +kubebuilder:validation:MaxLength=32
	Rule string `json:"rule"`

	// noticeTime is when the gang was told.
	NoticeTime metav1.Time `json:"noticeTime"`

	// deadline is when its pods are stopped at the latest.
	Deadline metav1.Time `json:"deadline"`

	// signaled is true once the gang was told to save its work, by signal or hook.
	// +optional
	Signaled bool `json:"signaled,omitempty"`

	// next is the slot in which the gang goes on: another one where it is moved, what is left of its own where part is true.
	// Absent: it goes back to its team's order.
	// +optional
	Next *Assignment `json:"next,omitempty"`

	// part is true when only the pods leave that the gang has beyond next, and the attempt goes on without them.
	// +optional
	Part bool `json:"part,omitempty"`

	// acknowledged is true once it has saved its work.
	// +optional
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// The rules of a preemption that no other gang causes; those that one does are the engine's.
const (
	RuleSuspend    = "Suspend"
	RuleRestart    = "Restart"
	RuleMaxRuntime = "MaxRuntime"
)

// GangHistory is what later decisions about a gang rest on, kept so that a restart of the manager forgets nothing.
type GangHistory struct {
	// startTime is when all pods of the current attempt were Ready first. Absent: they were not yet.
	// +optional
	StartTime *metav1.Time `json:"startTime,omitempty"`

	// endTime is when the gang ended for good.
	// +optional
	EndTime *metav1.Time `json:"endTime,omitempty"`

	// usedRuntime is the running time of ended attempts that counts towards maxRuntime.
	// +optional
	UsedRuntime metav1.Duration `json:"usedRuntime,omitzero"`

	// backoffUntil is until when the gang is not considered.
	// +optional
	BackoffUntil *metav1.Time `json:"backoffUntil,omitempty"`

	// putBacks is how often in a row the gang was put back for its own fault.
	// +optional
	PutBacks int32 `json:"putBacks,omitempty"`

	// evictions are the times of the latest evictions, oldest first.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	// +optional
	Evictions []metav1.Time `json:"evictions,omitempty"`

	// movedAt is when the gang was last moved.
	// +optional
	MovedAt *metav1.Time `json:"movedAt,omitempty"`

	// moveRefusedAt is when a move of the gang was last called off, since it had not saved its work in time.
	// +optional
	MoveRefusedAt *metav1.Time `json:"moveRefusedAt,omitempty"`

	// promiseLapsedAt is when a Future berth of the gang was last given up because it kept too much idle.
	// +optional
	PromiseLapsedAt *metav1.Time `json:"promiseLapsedAt,omitempty"`

	// headed is for how long the gang has headed its team's order in a pool.
	// +listType=map
	// +listMapKey=pool
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Headed []HeadedPool `json:"headed,omitempty"`
}

// HeadedPool is for how long a gang has headed its team's order in a pool.
type HeadedPool struct {
	// pool is the name of the pool.
	// +kubebuilder:validation:MaxLength=63
	Pool string `json:"pool"`
	// since is from when it heads the order now. Absent: it does not.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
	// before is for how long it did earlier, in all.
	// +optional
	Before metav1.Duration `json:"before,omitzero"`
}
