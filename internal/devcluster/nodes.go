package devcluster

import (
	"context"
	"fmt"
	"maps"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// parallelWrites bounds how many objects are written at once.
const parallelWrites = 16

// defaultCapacity is what a node holds where its group does not say otherwise.
var defaultCapacity = map[corev1.ResourceName]string{
	corev1.ResourceCPU:              "192",
	corev1.ResourceMemory:           "2Ti",
	corev1.ResourceEphemeralStorage: "4Ti",
	corev1.ResourcePods:             "110",
}

// AddNodes creates nodes and waits until they are Ready.
func (c *Cluster) AddNodes(ctx context.Context, groups ...NodeGroup) error {
	var nodes []*corev1.Node
	for _, group := range groups {
		for i := range group.Count {
			node, err := c.newNode(group, i)
			if err != nil {
				return err
			}
			nodes = append(nodes, node)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	writers, writeCtx := errgroup.WithContext(ctx)
	writers.SetLimit(parallelWrites)
	for _, node := range nodes {
		writers.Go(func() error {
			_, err := c.client.CoreV1().Nodes().Create(writeCtx, node, metav1.CreateOptions{})
			return err
		})
	}
	if err := writers.Wait(); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	names := make([]string, 0, len(nodes))
	for _, node := range nodes {
		names = append(names, node.Name)
	}
	return c.WaitNodesReady(ctx, names...)
}

// newNode is the i-th node of a group as its kubelet would register it.
func (c *Cluster) newNode(group NodeGroup, i int) (*corev1.Node, error) {
	pattern := group.Name
	if pattern == "" {
		pattern = "n{i}"
	}
	name, err := expand(pattern, i)
	if err != nil {
		return nil, fmt.Errorf("node group %q: name: %w", group.Name, err)
	}
	labels := map[string]string{
		corev1.LabelHostname:   name,
		corev1.LabelOSStable:   "linux",
		corev1.LabelArchStable: "amd64",
		labelKubelet:           kubeletRunning,
	}
	for key, value := range group.Labels {
		if labels[key], err = expand(value, i); err != nil {
			return nil, fmt.Errorf("node %s: label %s: %w", name, key, err)
		}
	}
	quantities := maps.Clone(defaultCapacity)
	maps.Copy(quantities, group.Capacity)
	capacity := corev1.ResourceList{}
	for res, value := range quantities {
		text, err := expand(value, i)
		if err != nil {
			return nil, fmt.Errorf("node %s: capacity %s: %w", name, res, err)
		}
		if capacity[res], err = resource.ParseQuantity(text); err != nil {
			return nil, fmt.Errorf("node %s: capacity %s %q: %w", name, res, text, err)
		}
	}
	n := c.nodes.Add(1)
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       corev1.NodeSpec{Taints: group.Taints},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: capacity,
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeHostName, Address: name},
				{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.64.%d.%d", n/250, n%250+1)},
			},
			NodeInfo: corev1.NodeSystemInfo{
				OperatingSystem: "linux",
				Architecture:    "amd64",
				KubeletVersion:  c.Version(),
			},
		},
	}, nil
}
