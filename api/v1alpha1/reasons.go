package v1alpha1

// Reasons for which a gang is Pending, in the order in which the first that holds is given.
const (
	// ReasonInfeasible: the gang could not run on the empty pool, or within its team's limit.
	ReasonInfeasible = "Infeasible"
	// ReasonHeld: spec.suspend is set, or spec.gates is not empty.
	ReasonHeld = "Held"
	// ReasonPaused: the team's stopPolicy lets nothing start.
	ReasonPaused = "Paused"
	// ReasonNoTeam: no team has the gang's namespace.
	ReasonNoTeam = "NoTeam"
	// ReasonBackingOff: the gang was put back for its own fault, or evicted repeatedly, and is considered again later.
	ReasonBackingOff = "BackingOff"
	// ReasonWaitingForVictims: a slot is planned, and gangs are leaving it.
	ReasonWaitingForVictims = "WaitingForVictims"
	// ReasonSlotReserved: a slot is promised for a later time.
	ReasonSlotReserved = "SlotReserved"
	// ReasonQuotaExceeded: with what the team uses now the gang would be above a limit.
	ReasonQuotaExceeded = "QuotaExceeded"
	// ReasonBehindInQueue: a slot is free but for another gang's berth.
	ReasonBehindInQueue = "BehindInQueue"
	// ReasonNoCoherentSlot: no slot is free that holds all of the gang as it asks.
	ReasonNoCoherentSlot = "NoCoherentSlot"
)

// Reasons of a gang's other phases and of its conditions.
const (
	// ReasonSlotHeld: a slot is held for the gang.
	ReasonSlotHeld = "SlotHeld"
	// ReasonNoSlot: no slot is held for the gang.
	ReasonNoSlot = "NoSlot"
	// ReasonAdmitted: the gang was let into its berth.
	ReasonAdmitted = "Admitted"
	// ReasonWaiting: the gang was not let into a berth.
	ReasonWaiting = "Waiting"
	// ReasonAllReady: all pods are Ready or have succeeded.
	ReasonAllReady = "AllReady"
	// ReasonPodsNotReady: not all pods are Ready yet.
	ReasonPodsNotReady = "PodsNotReady"
	// ReasonPodsReadyTimeout: the pods were not all Ready in time, and the gang was put back.
	ReasonPodsReadyTimeout = "PodsReadyTimeout"
	// ReasonRunning: the gang runs and was not told to leave.
	ReasonRunning = "Running"
	// ReasonEvicted: the gang was told to leave for another one.
	ReasonEvicted = "Evicted"
	// ReasonMoved: the gang was told to go on in another slot.
	ReasonMoved = "Moved"
	// ReasonDrained: the gang was told to leave because its team is drained.
	ReasonDrained = "Drained"
	// ReasonSuspended: the gang was told to leave because its user suspended it.
	ReasonSuspended = "Suspended"
	// ReasonNodeFault: the gang was stopped because a node under it failed.
	ReasonNodeFault = "NodeFault"
	// ReasonRestarting: the gang is stopped as a whole to start again after a failed pod.
	ReasonRestarting = "Restarting"
)

// Reasons of the condition Finished.
const (
	// ReasonNotFinished: the gang has not ended.
	ReasonNotFinished = "NotFinished"
	// ReasonSucceeded: the roles of successPolicy have succeeded.
	ReasonSucceeded = "Succeeded"
	// ReasonRoleFailed: a pod failed and no restart is left.
	ReasonRoleFailed = "RoleFailed"
	// ReasonPodFailurePolicy: a pod failed in a way that its role's podFailurePolicy calls final.
	ReasonPodFailurePolicy = "PodFailurePolicy"
	// ReasonMaxRuntimeExceeded: the gang ran for as long as its maxRuntime.
	ReasonMaxRuntimeExceeded = "MaxRuntimeExceeded"
)

// Reasons of the conditions of a Team, a Quota and a TopologyDomain.
const (
	// ReasonReady: everything the object names exists.
	ReasonReady = "Ready"
	// ReasonUnknownTeam: there is no Team of the name.
	ReasonUnknownTeam = "UnknownTeam"
	// ReasonUnknownParent: there is no Team of the parent's name.
	ReasonUnknownParent = "UnknownParent"
	// ReasonUnknownPool: there is no pool of the name.
	ReasonUnknownPool = "UnknownPool"
	// ReasonParentCycle: the parents lead in a circle.
	ReasonParentCycle = "ParentCycle"
	// ReasonOtherTeam: the namespace belongs to another team already.
	ReasonOtherTeam = "OtherTeam"
	// ReasonNoConflict: no namespace is claimed twice.
	ReasonNoConflict = "NoConflict"
	// ReasonNoCycle: the parents lead to a root.
	ReasonNoCycle = "NoCycle"
	// ReasonAboveCapacity: more is guaranteed than the registered nodes hold.
	ReasonAboveCapacity = "AboveCapacity"
	// ReasonWithinCapacity: the registered nodes hold what is guaranteed.
	ReasonWithinCapacity = "WithinCapacity"
	// ReasonNodesInOlderPool: nodes are selected by an older pool too.
	ReasonNodesInOlderPool = "NodesInOlderPool"
	// ReasonNoOverlap: no node is selected by an older pool.
	ReasonNoOverlap = "NoOverlap"
)
