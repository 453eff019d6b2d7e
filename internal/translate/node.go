package translate

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/engine"
)

// lifecycleTaints say again what a node's conditions and spec say, and lag behind them; the engine knows it from there. A
// node that is only for now not usable must not look like one that never matches.
var lifecycleTaints = []string{
	corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable,
}

// Node converts a node. What its DaemonSet and mirror pods use, and whether it still counts for guarantees, depends on
// more than the node and is left to the caller.
func Node(n *corev1.Node) engine.Node {
	allocatable := n.Status.Allocatable
	if len(allocatable) == 0 {
		allocatable = n.Status.Capacity
	}
	node := engine.Node{
		Name: n.Name, Labels: n.Labels, Ready: nodeReady(n), Cordoned: n.Spec.Unschedulable, Allocatable: Amounts(allocatable),
	}
	for _, t := range n.Spec.Taints {
		if !slices.Contains(lifecycleTaints, t.Key) {
			node.Taints = append(node.Taints, engine.Taint{Key: t.Key, Value: t.Value, Effect: string(t.Effect)})
		}
	}
	return node
}

func nodeReady(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// ForeignPod converts a pod that Berth does not manage. It reports false for one that uses no node: not bound yet, or
// finished.
func ForeignPod(p *corev1.Pod) (engine.Foreign, bool) {
	if p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
		return engine.Foreign{}, false
	}
	return engine.Foreign{Name: p.Namespace + "/" + p.Name, Node: p.Spec.NodeName, Requests: Requests(&p.Spec)}, true
}

// IsSystemPod reports whether a pod belongs to its node rather than to a user: a DaemonSet's or a mirror pod. What such
// pods use is never free, not even on an empty pool.
func IsSystemPod(p *corev1.Pod) bool {
	if _, mirror := p.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		return true
	}
	return slices.ContainsFunc(p.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.Kind == "DaemonSet" && o.Controller != nil && *o.Controller
	})
}
