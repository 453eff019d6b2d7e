package devcluster

// Annotations on a pod (or on a pod template) tell how its pretended program behaves. Every pod of a managed node
// starts at once, all its containers Ready, and runs until it is deleted, unless they say otherwise. They may be
// changed while the pod runs. Pods that ended are not restarted, whatever their restartPolicy. Durations are Go's, such
// as "90s" or "1m30s".
const (
	// AnnotationRunFor is how long the program runs before it exits by itself. Default: for ever.
	AnnotationRunFor = "devcluster.berth.dev/run-for"

	// AnnotationExitCode is the exit code at the end of AnnotationRunFor; not 0 makes the pod Failed. Default: "0".
	AnnotationExitCode = "devcluster.berth.dev/exit-code"

	// AnnotationFail makes a running program exit at once with the code that it holds, such as "1".
	AnnotationFail = "devcluster.berth.dev/fail"

	// AnnotationStopAfter is how long the program goes on after it was told to stop (SIGTERM, that is deletion of the
	// pod). At the end of the grace period it is killed anyway. "never" waits for that. Default: it stops at once.
	// Kubernetes stores deletion times in whole seconds, so that a stop may come up to a second late.
	AnnotationStopAfter = "devcluster.berth.dev/stop-after"

	// AnnotationStopExitCode is the exit code after SIGTERM; with "0" the pod ends as Succeeded. Default: "143", as
	// of a program that has no handler.
	AnnotationStopExitCode = "devcluster.berth.dev/stop-exit-code"

	// AnnotationStartAfter keeps a bound pod Pending (ContainerCreating) for a while after it was bound. "never" is an
	// image that cannot be pulled. Default: it starts at once.
	AnnotationStartAfter = "devcluster.berth.dev/start-after"

	// AnnotationReject makes the kubelet refuse the pod: it becomes Failed with this reason, such as
	// "UnexpectedAdmissionError", without having started a container.
	AnnotationReject = "devcluster.berth.dev/reject"
)

// What FailNode and RecoverNode use. kwok keeps the nodes whose label says running, and never touches pods that carry
// the annotation.
const (
	labelKubelet   = "devcluster.berth.dev/kubelet"
	kubeletRunning = "running"
	kubeletStopped = "stopped"

	annotationKubelet = "devcluster.berth.dev/kubelet"
	kubeletStopping   = "stopping" // asked for; kwok answers with kubeletStopped
)
