package devcluster

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pollInterval is how often conditions are looked at while a cluster starts.
const pollInterval = 50 * time.Millisecond

// WaitFor looks at a condition until it holds, returns an error, the context ends or a component of the cluster dies.
// The condition's description goes into the error.
func (c *Cluster) WaitFor(ctx context.Context, description string, holds func(context.Context) (bool, error)) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		ok, err := holds(ctx)
		if ok {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("waiting until %s: %w", description, ctx.Err())
		}
		if err != nil {
			return fmt.Errorf("waiting until %s: %w", description, err)
		}
		if err := c.Err(); err != nil {
			return fmt.Errorf("waiting until %s: %w", description, err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// waitAPIServer waits until the server is ready, its bootstrap of RBAC and namespaces included.
func (c *Cluster) waitAPIServer(ctx context.Context) error {
	return c.WaitFor(ctx, "kube-apiserver is ready", func(ctx context.Context) (bool, error) {
		var code int
		c.client.RESTClient().Get().AbsPath("/readyz").Timeout(time.Second).Do(ctx).StatusCode(&code)
		return code == http.StatusOK, nil // refused connections and 500 both mean: not yet
	})
}

// waitControllers waits for what the controller manager makes in every namespace: pods need it.
func (c *Cluster) waitControllers(ctx context.Context) error {
	return c.WaitFor(ctx, "kube-controller-manager has made the default service account", func(ctx context.Context) (bool, error) {
		_, err := c.client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}

// WaitNodesReady waits until the nodes named, or all that there are where none is named, are Ready and open for pods.
func (c *Cluster) WaitNodesReady(ctx context.Context, names ...string) error {
	description := "all nodes are Ready"
	if len(names) > 0 {
		description = fmt.Sprintf("nodes %s to %s (%d) are Ready", names[0], names[len(names)-1], len(names))
	}
	return c.WaitFor(ctx, description, func(ctx context.Context) (bool, error) {
		nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return false, err
		}
		ready := map[string]bool{}
		for i := range nodes.Items {
			ready[nodes.Items[i].Name] = nodeReady(&nodes.Items[i])
		}
		if len(names) == 0 {
			names = slices.Collect(maps.Keys(ready))
		}
		return !slices.ContainsFunc(names, func(name string) bool { return !ready[name] }), nil
	})
}

// nodeReady tells whether a node is Ready and free of the taint that the API server puts on new nodes.
func nodeReady(node *corev1.Node) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable {
			return false
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
