package devcluster

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// FailNode lets a node die: its kubelet falls silent, its Ready condition becomes Unknown and its pods are no longer
// Ready, as the node controller would mark them, only at once. What the pods were about to do does not happen; pods
// that are deleted stay Terminating. The node controller taints the node and evicts its pods as their tolerations say.
func (c *Cluster) FailNode(ctx context.Context, name string) error {
	pods, err := c.podsOn(ctx, name)
	if err != nil {
		return err
	}
	for i := range pods {
		if err := c.freeze(ctx, &pods[i]); err != nil {
			return fmt.Errorf("failing node %s: pod %s: %w", name, pods[i].Name, err)
		}
	}
	if err := c.patchNode(ctx, name, "", labelPatch(kubeletStopped)); err != nil {
		return fmt.Errorf("failing node %s: %w", name, err)
	}
	silent := conditionPatch("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
	if err := c.patchNode(ctx, name, "status", silent); err != nil {
		return fmt.Errorf("failing node %s: %w", name, err)
	}
	for i := range pods {
		if err := c.markPod(ctx, &pods[i], "False", "NodeNotReady"); err != nil {
			return fmt.Errorf("failing node %s: pod %s: %w", name, pods[i].Name, err)
		}
	}
	return nil
}

// RecoverNode brings a node back that FailNode took, waits until it is Ready, and lets its pods go on: running ones
// are Ready again, deleted ones stop.
func (c *Cluster) RecoverNode(ctx context.Context, name string) error {
	if err := c.patchNode(ctx, name, "", labelPatch(kubeletRunning)); err != nil {
		return fmt.Errorf("recovering node %s: %w", name, err)
	}
	err := c.WaitFor(ctx, "node "+name+" is Ready again", func(ctx context.Context) (bool, error) {
		node, err := c.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		return err == nil && nodeReady(node), err
	})
	if err != nil {
		return err
	}
	pods, err := c.podsOn(ctx, name)
	if err != nil {
		return err
	}
	for i := range pods {
		pod := &pods[i]
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			if err := c.markPod(ctx, pod, "True", ""); err != nil {
				return fmt.Errorf("recovering node %s: pod %s: %w", name, pod.Name, err)
			}
		}
		thaw := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:null}}}`, annotationKubelet)
		if err := c.patchPod(ctx, pod, "", thaw); err != nil {
			return fmt.Errorf("recovering node %s: pod %s: %w", name, pod.Name, err)
		}
	}
	return nil
}

// podsOn lists the pods of a node that have not ended.
func (c *Cluster) podsOn(ctx context.Context, node string) ([]corev1.Pod, error) {
	list, err := c.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{
		FieldSelector: "spec.nodeName=" + node + ",status.phase!=Succeeded,status.phase!=Failed",
	})
	if err != nil {
		return nil, fmt.Errorf("listing the pods of node %s: %w", node, err)
	}
	return list.Items, nil
}

// freeze makes kwok drop what it has planned for a pod, and waits for its word that it has.
func (c *Cluster) freeze(ctx context.Context, pod *corev1.Pod) error {
	if pod.Annotations[annotationKubelet] == kubeletStopped {
		return nil // of a node that has failed before
	}
	stopping := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, annotationKubelet, kubeletStopping)
	if err := c.patchPod(ctx, pod, "", stopping); err != nil {
		return err
	}
	return c.WaitFor(ctx, "the pod stands still", func(ctx context.Context) (bool, error) {
		current, err := c.client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return err == nil && current.Annotations[annotationKubelet] == kubeletStopped, err
	})
}

func (c *Cluster) markPod(ctx context.Context, pod *corev1.Pod, ready, reason string) error {
	return c.patchPod(ctx, pod, "status", conditionPatch(ready, reason, ""))
}

// patchPod patches a pod; one that has gone is none of our business.
func (c *Cluster) patchPod(ctx context.Context, pod *corev1.Pod, subresource string, patch []byte) error {
	_, err := c.client.CoreV1().Pods(pod.Namespace).
		Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, subresources(subresource)...)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (c *Cluster) patchNode(ctx context.Context, name, subresource string, patch []byte) error {
	_, err := c.client.CoreV1().Nodes().
		Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, subresources(subresource)...)
	return err
}

func subresources(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

func labelPatch(value string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"labels":{%q:%q}}}`, labelKubelet, value)
}

// conditionPatch sets the Ready condition of a pod or node.
func conditionPatch(status, reason, message string) []byte {
	now := strconv.Quote(metav1.Now().UTC().Format("2006-01-02T15:04:05Z"))
	return fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q,"reason":%q,"message":%q,"lastTransitionTime":%s}]}}`,
		status, reason, message, now)
}
