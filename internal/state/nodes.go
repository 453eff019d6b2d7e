package state

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// node is a registered node and what its DaemonSet and mirror pods use.
type node struct {
	engine.Node
	system map[string]engine.Amounts // by pod
}

// SetNode learns of a node. Heartbeats change nothing and cost nothing.
func (c *Cache) SetNode(n *corev1.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.nodes[n.Name]
	next := &node{Node: translate.Node(n), system: map[string]engine.Amounts{}}
	if old != nil {
		next.system = old.system
	}
	if !next.Ready {
		next.NotReadySince = notReadySince(n).UnixNano()
	}
	next.System = sum(next.system)
	if old != nil && old.registered() && sameNode(&old.Node, &next.Node) {
		return
	}
	c.nodes[n.Name] = next
	c.engine.SetNode(next.Node)
	c.changed()
}

// RemoveNode learns that a node was deleted. One that registers again soon still has its DaemonSet and mirror pods.
func (c *Cache) RemoveNode(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.nodes[name]; old != nil && len(old.system) > 0 {
		c.nodes[name] = placeholder(name, old.system)
	} else {
		delete(c.nodes, name)
	}
	c.engine.RemoveNode(name)
	c.changed()
}

// setSystem notes what a DaemonSet or mirror pod uses of a node; nil amounts take the note back.
func (c *Cache) setSystem(nodeName, pod string, amounts engine.Amounts) {
	n := c.nodes[nodeName]
	if n == nil {
		if amounts == nil {
			return
		}
		n = placeholder(nodeName, map[string]engine.Amounts{}) // its own event is still to come
		c.nodes[nodeName] = n
	}
	if amounts == nil {
		delete(n.system, pod)
	} else {
		n.system[pod] = amounts
	}
	n.System = sum(n.system)
	switch {
	case n.registered():
		c.engine.SetNode(n.Node)
		c.changed()
	case len(n.system) == 0:
		delete(c.nodes, nodeName)
	}
}

// placeholder stands for a node that is not registered but has pods.
func placeholder(name string, system map[string]engine.Amounts) *node {
	return &node{Node: engine.Node{Name: name}, system: system}
}

// registered tells a node from a placeholder.
func (n *node) registered() bool { return n.Allocatable != nil }

func notReadySince(n *corev1.Node) time.Time {
	for _, cond := range n.Status.Conditions {
		if cond.Type == corev1.NodeReady {
			return cond.LastTransitionTime.Time
		}
	}
	return n.CreationTimestamp.Time
}

func sum(parts map[string]engine.Amounts) engine.Amounts {
	total := engine.Amounts{}
	for _, part := range parts {
		for name, q := range part {
			total[name] += q
		}
	}
	return total
}

func sameNode(a, b *engine.Node) bool {
	return a.Ready == b.Ready && a.Cordoned == b.Cordoned && a.NotReadySince == b.NotReadySince &&
		maps.Equal(a.Labels, b.Labels) && slices.Equal(a.Taints, b.Taints) &&
		maps.Equal(a.Allocatable, b.Allocatable) && maps.Equal(a.System, b.System)
}
