package simulate

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/manifest"
)

// APIVersion and Kind of the document that makes a file a scenario.
const (
	APIVersion = "sim.berth.dev/v1alpha1"
	Kind       = "Scenario"
)

// document is the Scenario document of a file.
type document struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        struct {
		Name string `json:"name,omitempty"`
	} `json:"metadata,omitzero"`
	Spec spec `json:"spec"`
}

type spec struct {
	Description string            `json:"description,omitempty"`
	Config      settings          `json:"config,omitzero"`
	Nodes       []nodeTemplate    `json:"nodes,omitempty"`
	Events      []eventSpec       `json:"events,omitempty"`
	Until       *metav1.Duration  `json:"until,omitempty"`
	Expect      []expectationSpec `json:"expect,omitempty"`
}

// settings are the manager's own that bear on what is decided and on what is refused; absent ones have their defaults.
type settings struct {
	config.Policy `json:",inline"`
	config.Limits `json:",inline"`
}

// nodeTemplate stands for count alike nodes.
type nodeTemplate struct {
	Count    int                 `json:"count,omitempty"`
	Name     string              `json:"name"`
	Labels   map[string]string   `json:"labels,omitempty"`
	Taints   []corev1.Taint      `json:"taints,omitempty"`
	Capacity corev1.ResourceList `json:"capacity,omitempty"`
}

// eventSpec is one entry of the timeline: exactly one of the actions.
type eventSpec struct {
	At          *metav1.Duration        `json:"at,omitempty"`
	Submit      *submitSpec             `json:"submit,omitempty"`
	Set         map[string]manifest.Raw `json:"set,omitempty"`
	Runs        *metav1.Duration        `json:"runs,omitempty"`
	Checkpoints *checkpointsSpec        `json:"checkpoints,omitempty"`
	Occupy      *occupySpec             `json:"occupy,omitempty"`
	Vacate      *nameSpec               `json:"vacate,omitempty"`
	Fail        *nodeRef                `json:"fail,omitempty"`
	Cordon      *nodeRef                `json:"cordon,omitempty"`
	Recover     *nodeRef                `json:"recover,omitempty"`
	Delete      *deleteSpec             `json:"delete,omitempty"`
	Patch       *patchSpec              `json:"patch,omitempty"`
}

type submitSpec struct {
	Template  string `json:"template"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Count     *int   `json:"count,omitempty"`
}

// checkpointsSpec says how a program behaves: Every how much productive time it saves by itself, and how long after a
// signal it acknowledges.
type checkpointsSpec struct {
	Every *metav1.Duration `json:"every,omitempty"`
	Save  *metav1.Duration `json:"save,omitempty"`
}

type occupySpec struct {
	Node     string              `json:"node"`
	Name     string              `json:"name"`
	Requests corev1.ResourceList `json:"requests,omitempty"`
}

type nameSpec struct {
	Name string `json:"name"`
}

type nodeRef struct {
	Node string `json:"node"`
}

type deleteSpec struct {
	GangJob string `json:"gangJob"`
}

type patchSpec struct {
	Kind      string       `json:"kind"`
	Namespace string       `json:"namespace,omitempty"`
	Name      string       `json:"name"`
	Merge     manifest.Raw `json:"merge"`
}

// expectationSpec is one thing that must hold: one of At, By and Always says when, one of GangJob, Count, Usage and
// Summary says of what.
type expectationSpec struct {
	At     *metav1.Duration `json:"at,omitempty"`
	By     *metav1.Duration `json:"by,omitempty"`
	Always *bool            `json:"always,omitempty"`

	GangJob        string       `json:"gangJob,omitempty"`
	Phase          phases       `json:"phase,omitempty"`
	Reason         string       `json:"reason,omitempty"`
	Message        string       `json:"message,omitempty"`
	Nodes          []string     `json:"nodes,omitempty"`
	Ranks          []string     `json:"ranks,omitempty"`
	Within         *withinSpec  `json:"within,omitempty"`
	Preemptions    *bounds      `json:"preemptions,omitempty"`
	Restarts       *bounds      `json:"restarts,omitempty"`
	EstimatedStart *startSpec   `json:"estimatedStart,omitempty"`
	Count          *countSpec   `json:"count,omitempty"`
	Usage          *usageSpec   `json:"usage,omitempty"`
	Summary        *summarySpec `json:"summary,omitempty"`
}

type withinSpec struct {
	Label   string `json:"label"`
	Domains int    `json:"domains"`
}

type startSpec struct {
	NotAfter *metav1.Duration `json:"notAfter"`
}

type countSpec struct {
	Phase     phases `json:"phase,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Is        *int64 `json:"is,omitempty"`
	Min       *int64 `json:"min,omitempty"`
	Max       *int64 `json:"max,omitempty"`
}

type usageSpec struct {
	Team     string             `json:"team"`
	Pool     string             `json:"pool"`
	Resource string             `json:"resource"`
	Is       *resource.Quantity `json:"is,omitempty"`
	Min      *resource.Quantity `json:"min,omitempty"`
	Max      *resource.Quantity `json:"max,omitempty"`
}

type summarySpec struct {
	Preemptions   *bounds `json:"preemptions,omitempty"`
	LostGPUHours  *bounds `json:"lostGPUHours,omitempty"`
	Utilization   *bounds `json:"utilization,omitempty"`
	Fragmentation *bounds `json:"fragmentation,omitempty"`
}
