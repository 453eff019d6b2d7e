package v1alpha1

// Conditions of a GangJob. All are positive: True is what the word says.
const (
	// ConditionReserved: a slot is held for the gang: its berth is planned, reserved or occupied.
	ConditionReserved = "Reserved"
	// ConditionAdmitted: the gang was let into its berth; its pods may be created.
	ConditionAdmitted = "Admitted"
	// ConditionPodsReady: all pods of the current attempt are Ready or have succeeded.
	ConditionPodsReady = "PodsReady"
	// ConditionPreempting: the gang was told to leave its berth and has not yet left.
	ConditionPreempting = "Preempting"
	// ConditionFinished: the gang has ended for good; its reason says how.
	ConditionFinished = "Finished"
)

// Conditions of a Team, a Quota and a TopologyDomain.
const (
	// ConditionActive: what the object names exists, and it counts.
	ConditionActive = "Active"
	// ConditionNamespaceConflict: a namespace that the Team names belongs to another team already.
	ConditionNamespaceConflict = "NamespaceConflict"
	// ConditionParentCycle: the Team's parents lead back to itself; nothing is admitted on it.
	ConditionParentCycle = "ParentCycle"
	// ConditionOvercommitted: the pool's registered nodes hold less than is guaranteed; guarantees are scaled.
	ConditionOvercommitted = "Overcommitted"
	// ConditionOverlapping: nodes that the pool selects belong to an older pool.
	ConditionOverlapping = "Overlapping"
)
