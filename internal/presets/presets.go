package presets

import (
	"slices"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// label is one level of a preset: its name and the node label that tells it.
type label struct{ level, key string }

// presets holds each vendor's levels, outermost first. Where a vendor tells two independent hierarchies, such as NVLink
// domains beside leaf switches, the preset is of the fabric's.
var presets = map[v1alpha1.Preset][]label{
	v1alpha1.PresetTopograph: {
		{"core", "fabric.topograph.run/tier-2"},
		{"spine", "fabric.topograph.run/tier-1"},
		{"rack", "fabric.topograph.run/tier-0"},
	},
	v1alpha1.PresetTopographV0: {
		{"core", "network.topology.nvidia.com/core"},
		{"spine", "network.topology.nvidia.com/spine"},
		{"rack", "network.topology.nvidia.com/leaf"},
	},
	v1alpha1.PresetGKE: {
		{"block", "cloud.google.com/gce-topology-block"},
		{"subblock", "cloud.google.com/gce-topology-subblock"},
	},
	v1alpha1.PresetAWS: {
		{"layer-1", "topology.k8s.aws/network-node-layer-1"},
		{"layer-2", "topology.k8s.aws/network-node-layer-2"},
		{"layer-3", "topology.k8s.aws/network-node-layer-3"},
	},
	v1alpha1.PresetOCI: {
		{"network-block", "oci.oraclecloud.com/host.network_block_id"},
		{"rack", "oci.oraclecloud.com/host.rack_id"},
	},
	v1alpha1.PresetCoreWeave: {
		{"fabric", "backend.coreweave.cloud/fabric"},
		{"leafgroup", "backend.coreweave.cloud/leafgroup"},
	},
	v1alpha1.PresetCoreWeaveIB: {
		{"fabric", "ib.coreweave.cloud/fabric"},
		{"superpod", "ib.coreweave.cloud/superpod"},
		{"leafgroup", "ib.coreweave.cloud/leafgroup"},
	},
	v1alpha1.PresetLingjun: {
		{"delivery-point", "alibabacloud.com/point-of-delivery"},
		{"access-switch", "alibabacloud.com/asw-id"},
	},
	v1alpha1.PresetCrusoe: {
		{"partition", "crusoe.ai/ib.partition.id"},
		{"delivery-point", "crusoe.ai/pod.id"},
	},
	v1alpha1.PresetMNNVL: {
		{"nvlink", "nvidia.com/gpu.clique"},
	},
}

// All lists the presets by name.
func All() []v1alpha1.Preset {
	names := make([]v1alpha1.Preset, 0, len(presets))
	for name := range presets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Known is true of presets that there are.
func Known(preset v1alpha1.Preset) bool {
	_, ok := presets[preset]
	return ok
}

// Levels are a pool's levels between pool and node, outermost first: those of its spec, or its preset's.
func Levels(pool *v1alpha1.TopologyDomain) []v1alpha1.TopologyLevel {
	labels := presets[pool.Spec.Preset]
	if len(labels) == 0 {
		return pool.Spec.Levels
	}
	levels := make([]v1alpha1.TopologyLevel, len(labels))
	for i, l := range labels {
		levels[i] = v1alpha1.TopologyLevel{Name: l.level, NodeLabel: l.key}
	}
	return levels
}
