package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CheckpointSignal is the signal that tells a program to save its work.
// +kubebuilder:validation:Enum=SIGTERM;SIGUSR1;SIGUSR2
type CheckpointSignal string

// The signals.
const (
	// SignalTERM: the program saves while it is stopped; nothing is needed inside the pod.
	SignalTERM CheckpointSignal = "SIGTERM"
	// SignalUSR1 is sent by a sidecar before the stop.
	SignalUSR1 CheckpointSignal = "SIGUSR1"
	// SignalUSR2 is sent by a sidecar before the stop.
	SignalUSR2 CheckpointSignal = "SIGUSR2"
)

// CheckpointTarget says which ranks are told.
// +kubebuilder:validation:Enum=All;Rank0
type CheckpointTarget string

// The targets.
const (
	// TargetAll: every rank is told.
	TargetAll CheckpointTarget = "All"
	// TargetRank0: rank 0 of the first Slot role is told.
	TargetRank0 CheckpointTarget = "Rank0"
)

// CheckpointHTTP is a hook that is called inside the pod, on 127.0.0.1.
type CheckpointHTTP struct {
	// port is the port that the program listens on.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`

	// path is the path of the request. Default /.
	// +kubebuilder:validation:Pattern=`^/`
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:default="/"
	// +optional
	Path string `json:"path,omitempty"`
}

// CheckpointSpec says how a gang is told to save its work before it is stopped.
// +kubebuilder:validation:XValidation:rule="!(has(self.signal) && has(self.http))",message="spec.checkpoint: give exactly one of signal and http"
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && self.target == 'Rank0') || has(self.http) || (has(self.signal) && self.signal != 'SIGTERM')",message="spec.checkpoint.target: Rank0 needs SIGUSR1, SIGUSR2 or http, since SIGTERM stops every rank; use target All"
type CheckpointSpec struct {
	// signal is sent to the program: SIGTERM, SIGUSR1 or SIGUSR2. Default SIGTERM, unless http is given.
	// +optional
	Signal CheckpointSignal `json:"signal,omitempty"`

	// http is called in place of a signal. Default: none.
	// +optional
	HTTP *CheckpointHTTP `json:"http,omitempty"`

	// target says which ranks are told: All or Rank0. With SIGTERM only All. Default All.
	// +kubebuilder:default=All
	// +optional
	Target CheckpointTarget `json:"target,omitempty"`

	// container is the container that is told. Default: the first.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Container string `json:"container,omitempty"`

	// gracePeriod is for how long the gang may save before it is stopped; together with the pods' own grace at most
	// 15m, unless the manager is configured otherwise. Default 60s.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`
	// +kubebuilder:default="60s"
	// +optional
	GracePeriod *metav1.Duration `json:"gracePeriod,omitempty"`
}
