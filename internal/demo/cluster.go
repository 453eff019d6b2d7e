package demo

import (
	"path/filepath"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/internal/devcluster"
)

// The pool that config/samples describes.
const (
	pool       = "h100"
	gpu        = corev1.ResourceName("nvidia.com/gpu")
	spineLabel = "topology.example.com/spine"
	rackLabel  = "topology.example.com/rack"
)

// cluster is 64 nodes of 8 H100, 8 in a rack, 4 racks under a spine.
func cluster(keep bool) devcluster.Options {
	return devcluster.Options{
		PodGroups: true,
		Detach:    keep,
		KeepDir:   keep,
		Nodes: []devcluster.NodeGroup{{
			Count: 64,
			Name:  "r{i/8}-n{i%8}",
			Labels: map[string]string{
				"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
				spineLabel:               "s{i/32}",
				rackLabel:                "r{i/8}",
			},
			Capacity: map[corev1.ResourceName]string{gpu: "8"},
		}},
	}
}

// sample is the path of a file of config/samples.
func sample(root, name string) string {
	return filepath.Join(root, "config", "samples", name)
}
