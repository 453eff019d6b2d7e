package v1alpha1

// Labels that Berth sets on the objects it makes.
const (
	// LabelGang is the name of the gang that a Job or pod belongs to.
	LabelGang = "berth.dev/gang"
	// LabelGangUID is the UID of that gang.
	LabelGangUID = "berth.dev/gang-uid"
	// LabelRole is the role of a Job or pod in its gang.
	LabelRole = "berth.dev/role"
	// LabelAttempt is the attempt that a Job or pod belongs to, from 1.
	LabelAttempt = "berth.dev/attempt"
	// LabelPool is the pool of a domain, Job or pod. It is the key of the taint of guarded pools as well.
	LabelPool = "berth.dev/pool"
	// LabelLevel is the level of a domain.
	LabelLevel = "berth.dev/level"
	// LabelParent is the name of the TopologyDomain around a domain.
	LabelParent = "berth.dev/parent"
)

// Annotations that Berth sets and reads.
const (
	// AnnotationSubmitter is the user that created a GangJob. It is stamped at creation and cannot be changed.
	AnnotationSubmitter = "berth.dev/submitter"
	// AnnotationAttempt is the attempt that a pod template belongs to, from 1.
	AnnotationAttempt = "berth.dev/attempt"
	// AnnotationDomain is the path of the domain that a pod's gang was placed in.
	AnnotationDomain = "berth.dev/domain"
	// AnnotationPreemptionDeadline is when a pod that was told to leave is stopped, in RFC 3339.
	AnnotationPreemptionDeadline = "berth.dev/preemption-deadline"
)

// KeyPrefix begins every label and annotation key that is Berth's own.
const KeyPrefix = "berth.dev/"

// ManagedByGangJob is the value of spec.managedBy of gangs that this manager looks after.
const ManagedByGangJob = "berth.dev/gangjob"

// GangFinalizer keeps a deleted GangJob, and with it its berth, until its pods are gone.
const GangFinalizer = "berth.dev/berth"
