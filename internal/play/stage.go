package play

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devmanager"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/simulate"
)

// Stage is a cluster on which scenarios are played, one after the other.
type Stage struct {
	Cluster *devcluster.Cluster
	// Root is the folder of the repository, Manager the manager's program.
	Root, Manager string

	api client.WithWatch
}

// NewStage prepares a cluster.
func NewStage(c *devcluster.Cluster, root, manager string) (*Stage, error) {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	config := c.Config()
	config.QPS, config.Burst = -1, -1
	api, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	return &Stage{Cluster: c, Root: root, Manager: manager, api: api}, nil
}

// set builds the scene: nodes, namespaces, the manager under the scenario's settings, pools, teams and quotas.
func (s *Stage) set(ctx context.Context, in *simulate.Input, speed speed) (*devmanager.Manager, error) {
	groups := make([]devcluster.NodeGroup, 0, len(in.Nodes))
	for i := range in.Nodes {
		groups = append(groups, nodeGroup(&in.Nodes[i]))
	}
	if err := s.Cluster.AddNodes(ctx, groups...); err != nil {
		return nil, err
	}
	for _, name := range namespaces(in) {
		if err := s.namespace(ctx, name); err != nil {
			return nil, err
		}
	}
	manager, err := devmanager.Start(ctx, s.Cluster, devmanager.Options{
		Root: s.Root, Binary: s.Manager, Config: speed.manager(in.Settings), Flags: []string{"--zap-log-level=debug"},
	})
	if err != nil {
		return nil, err
	}
	if err := s.furnish(ctx, in, speed); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, manager.Tail())
	}
	return manager, nil
}

// furnish creates pools, teams and quotas, and waits until the manager has seen them.
func (s *Stage) furnish(ctx context.Context, in *simulate.Input, speed speed) error {
	for _, d := range in.Domains {
		if d.IsPool() {
			if err := s.api.Create(ctx, d.DeepCopy()); err != nil {
				return fmt.Errorf("creating TopologyDomain %s: %w", d.Name, err)
			}
		}
	}
	for _, t := range in.Teams {
		if err := s.api.Create(ctx, t.DeepCopy()); err != nil {
			return fmt.Errorf("creating Team %s: %w", t.Name, err)
		}
	}
	for _, q := range in.Quotas {
		if err := s.api.Create(ctx, speed.quota(q)); err != nil {
			return fmt.Errorf("creating Quota %s: %w", q.Name, err)
		}
	}
	if err := s.known(ctx, in); err != nil {
		return err
	}
	for _, d := range in.Domains {
		if !d.IsPool() && d.Spec.Cordoned {
			if err := s.cordonDomain(ctx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// known waits until the manager has counted all nodes of the pools, and taken up teams and quotas.
func (s *Stage) known(ctx context.Context, in *simulate.Input) error {
	return s.Cluster.WaitFor(ctx, "the manager knows pools, teams and quotas", func(ctx context.Context) (bool, error) {
		for _, d := range in.Domains {
			var found v1alpha1.TopologyDomain
			if !d.IsPool() {
				continue
			}
			if err := s.api.Get(ctx, client.ObjectKey{Name: d.Name}, &found); err != nil {
				return false, err
			}
			if found.Status.ObservedGeneration != found.Generation || len(found.Status.Conditions) == 0 {
				return false, nil
			}
		}
		for _, t := range in.Teams {
			var found v1alpha1.Team
			if err := s.api.Get(ctx, client.ObjectKey{Name: t.Name}, &found); err != nil {
				return false, err
			}
			if found.Status.ObservedGeneration != found.Generation {
				return false, nil
			}
		}
		for _, q := range in.Quotas {
			var found v1alpha1.Quota
			if err := s.api.Get(ctx, client.ObjectKey{Name: q.Name}, &found); err != nil {
				return false, err
			}
			if found.Status.ObservedGeneration != found.Generation {
				return false, nil
			}
		}
		return true, nil
	})
}

// namespace creates a namespace, and waits until pods can be made there.
func (s *Stage) namespace(ctx context.Context, name string) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := s.api.Create(ctx, ns); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating namespace %s: %w", name, err)
	}
	return s.Cluster.WaitFor(ctx, "namespace "+name+" has its service account", func(ctx context.Context) (bool, error) {
		err := s.api.Get(ctx, client.ObjectKey{Namespace: name, Name: "default"}, &corev1.ServiceAccount{})
		return err == nil, client.IgnoreNotFound(err)
	})
}

// namespaces are those that teams own and gangs are submitted to.
func namespaces(in *simulate.Input) []string {
	names := map[string]bool{metav1.NamespaceDefault: true}
	for _, t := range in.Teams {
		for _, n := range t.Spec.Namespaces {
			names[n] = true
		}
	}
	for _, e := range in.Events {
		if s, ok := e.Action.(simulate.Submit); ok {
			names[s.Namespace] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// nodeGroup is a node of the scenario as the cluster takes it.
func nodeGroup(n *engine.Node) devcluster.NodeGroup {
	g := devcluster.NodeGroup{Count: 1, Name: n.Name, Labels: n.Labels, Capacity: map[corev1.ResourceName]string{
		corev1.ResourceCPU: "0", corev1.ResourceMemory: "0", corev1.ResourceEphemeralStorage: "0",
	}}
	maps.Copy(g.Capacity, quantities(n.Allocatable))
	for _, t := range n.Taints {
		g.Taints = append(g.Taints, corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)})
	}
	return g
}

// quantities writes amounts as Kubernetes does.
func quantities(amounts engine.Amounts) map[corev1.ResourceName]string {
	out := map[corev1.ResourceName]string{}
	for name, q := range amounts {
		text := strconv.FormatInt(q, 10)
		if name == string(corev1.ResourceCPU) {
			text += "m"
		}
		out[corev1.ResourceName(name)] = text
	}
	return out
}
