package children

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Force removes pods that are to go and that nobody is left to end: their node is gone or not Ready.
func Force(ctx context.Context, c client.Client, pods []*corev1.Pod, ready func(node string) bool) error {
	for _, p := range pods {
		if p.DeletionTimestamp == nil || p.Spec.NodeName == "" || ready(p.Spec.NodeName) ||
			p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		err := c.Delete(ctx, p, client.GracePeriodSeconds(0), client.Preconditions{UID: &p.UID})
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("removing pod %s/%s: %w", p.Namespace, p.Name, err)
		}
	}
	return nil
}
