package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Preset names a vendor's convention of node labels, in place of levels.
// +kubebuilder:validation:Enum=topograph;topograph-v0;gke;aws;oci;coreweave;coreweave-ib;lingjun;crusoe;mnnvl
type Preset string

// The presets. internal/presets says which levels each stands for.
const (
	// PresetTopograph: topograph 1.0 and later (fabric.topograph.run).
	PresetTopograph Preset = "topograph"
	// PresetTopographV0: topograph before 1.0 (network.topology.nvidia.com).
	PresetTopographV0 Preset = "topograph-v0"
	// PresetGKE: Google Kubernetes Engine.
	PresetGKE Preset = "gke"
	// PresetAWS: Amazon EKS and SageMaker HyperPod.
	PresetAWS Preset = "aws"
	// PresetOCI: Oracle Cloud.
	PresetOCI Preset = "oci"
	// PresetCoreWeave: CoreWeave, backend fabric labels.
	PresetCoreWeave Preset = "coreweave"
	// PresetCoreWeaveIB: CoreWeave, InfiniBand labels.
	PresetCoreWeaveIB Preset = "coreweave-ib"
	// PresetLingjun: Alibaba ACK Lingjun.
	PresetLingjun Preset = "lingjun"
	// PresetCrusoe: Crusoe.
	PresetCrusoe Preset = "crusoe"
	// PresetMNNVL: the NVLink cliques that GPU feature discovery publishes.
	PresetMNNVL Preset = "mnnvl"
)

// The level names that no pool may define: LevelNode is every pool's innermost level, LevelNUMA is kept for later, and
// LevelPool is the root itself.
const (
	LevelPool = "pool"
	LevelNode = "node"
	LevelNUMA = "numa"
)

// DefaultAccelerator is the resource that is counted where a pool names none.
const DefaultAccelerator = "nvidia.com/gpu"

// Link is what two neighbours of a level are connected by.
type Link struct {
	// bandwidth is that of one accelerator's or node's path through the level, in bytes per second, such as 50G.
	// Default: unknown, communication is not estimated.
	// +optional
	Bandwidth resource.Quantity `json:"bandwidth,omitzero"`

	// latency is the time that a message takes through the level. Default 0s.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`
	// +optional
	Latency *metav1.Duration `json:"latency,omitempty"`
}

// TopologyLevel is one tier of a pool's hierarchy.
// +kubebuilder:validation:XValidation:rule="!(self.name in ['node', 'numa', 'pool'])",message="levels[].name: node, numa and pool are reserved level names; choose another"
// +kubebuilder:validation:XValidation:rule="!has(self.parent)",message="levels[].parent: branching hierarchies are not yet supported; leave parent out and list levels outermost first"
type TopologyLevel struct {
	// name is what gangs call the level, such as rack. Not node, numa or pool.
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]{0,30}$`
	// +kubebuilder:validation:MaxLength=31
	Name string `json:"name"`

	// nodeLabel is the node label whose value tells a node's domain of the level.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	NodeLabel string `json:"nodeLabel"`

	// parent is the level that this one stands under, where that is not the one before it. Not yet supported.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Parent string `json:"parent,omitempty"`

	// link is what the nodes of one domain of the level are connected by. Default: unknown.
	// +optional
	Link *Link `json:"link,omitempty"`
}

// Accelerator is a resource that is counted as accelerators.
type Accelerator struct {
	// resource is the name of the extended resource.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	Resource string `json:"resource"`

	// weight is how many accelerators one piece counts for, such as 143m for a seventh. Default 1.
	// +kubebuilder:default="1"
	// +optional
	Weight resource.Quantity `json:"weight,omitzero"`
}

// MaintenanceWindow is a time in which a domain is out of use.
type MaintenanceWindow struct {
	// start is when gangs must have left.
	Start metav1.Time `json:"start"`
	// end is from when the domain may be used again.
	End metav1.Time `json:"end"`
}

// TopologyDomainSpec describes a pool (a root, written by the platform team) or one domain of it (a child, written by
// Berth, of which only cordoned may be edited).
// +kubebuilder:validation:XValidation:rule="has(self.pool) ? !has(self.nodeSelector) && !has(self.levels) && !has(self.preset) && !has(self.accelerators) && !has(self.nodeLink) : has(self.nodeSelector)",message="spec: a pool needs nodeSelector; a domain of a pool (pool set) is written by Berth and has no nodeSelector, levels, preset, accelerators or nodeLink"
// +kubebuilder:validation:XValidation:rule="has(self.pool) == has(self.level) && has(self.pool) == has(self.path)",message="spec: pool, level and path are set together, by Berth; leave all three out to describe a pool"
// +kubebuilder:validation:XValidation:rule="!has(self.preset) || !has(self.levels) || self.levels.size() == 0",message="spec.preset: stands for levels; give one of preset and levels, not both"
// +kubebuilder:validation:XValidation:rule="!has(self.maxNodes)",message="spec.maxNodes: autoscaled pools are not yet supported; leave maxNodes out"
// +kubebuilder:validation:XValidation:rule="!has(self.maintenance) || self.maintenance.size() == 0",message="spec.maintenance: maintenance windows are not yet supported; leave maintenance out and set cordoned when the time comes"
// +kubebuilder:validation:XValidation:rule="has(self.pool) == has(oldSelf.pool) && (!has(self.pool) || (self.pool == oldSelf.pool && self.level == oldSelf.level && self.path == oldSelf.path))",message="spec.pool, spec.level and spec.path: say which domain this is and cannot be changed; only cordoned can"
type TopologyDomainSpec struct {
	// nodeSelector selects the nodes of the pool. Required on pools.
	// +optional
	NodeSelector *metav1.LabelSelector `json:"nodeSelector,omitempty"`

	// accelerators are the resources that are counted as accelerators. Default nvidia.com/gpu with weight 1.
	// +listType=map
	// +listMapKey=resource
	// +kubebuilder:validation:MaxItems=32
	// +optional
	Accelerators []Accelerator `json:"accelerators,omitempty"`

	// levels are the tiers of the hierarchy between pool and node, outermost first. Default: none, a flat pool.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	// +optional
	Levels []TopologyLevel `json:"levels,omitempty"`

	// preset stands for the levels that a vendor's node labels tell. Default: none.
	// +optional
	Preset Preset `json:"preset,omitempty"`

	// nodeLink is what the accelerators of one node are connected by. Default: unknown.
	// +optional
	NodeLink *Link `json:"nodeLink,omitempty"`

	// maxNodes is up to how many nodes an autoscaler may bring the pool. Not yet supported.
	// +kubebuilder:validation:Minimum=1
	// +optional
	MaxNodes *int32 `json:"maxNodes,omitempty"`

	// cordoned takes the pool or domain out of use: nothing starts there, and gangs leave it when there is room
	// elsewhere. Default false.
	// +optional
	Cordoned bool `json:"cordoned,omitempty"`

	// maintenance lists when the domain is out of use. Not yet supported.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Maintenance []MaintenanceWindow `json:"maintenance,omitempty"`

	// pool is the pool that a domain belongs to. Written by Berth; absent on pools.
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Pool string `json:"pool,omitempty"`

	// level is the level of a domain. Written by Berth; absent on pools.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Level string `json:"level,omitempty"`

	// path tells a domain by the label values of its levels, outermost first. Written by Berth; absent on pools.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=63
	// +optional
	Path []string `json:"path,omitempty"`
}
