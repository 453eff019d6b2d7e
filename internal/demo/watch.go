package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
)

// observer reads the world from the API.
type observer struct {
	client client.Client
	racks  []rack // without pods: nodes neither come nor go
}

// newObserver reads the nodes.
func newObserver(ctx context.Context, c client.Client) (*observer, error) {
	var nodes corev1.NodeList
	if err := c.List(ctx, &nodes); err != nil {
		return nil, fmt.Errorf("listing nodes: %w", err)
	}
	return &observer{client: c, racks: mapOf(nodes.Items)}, nil
}

// mapOf groups nodes by rack.
func mapOf(nodes []corev1.Node) []rack {
	byName := map[string]*rack{}
	for i := range nodes {
		labels := nodes[i].Labels
		r := byName[labels[rackLabel]]
		if r == nil {
			r = &rack{spine: labels[spineLabel], name: labels[rackLabel]}
			byName[r.name] = r
		}
		r.nodes = append(r.nodes, node{name: nodes[i].Name})
	}
	racks := make([]rack, 0, len(byName))
	for _, r := range byName {
		slices.SortFunc(r.nodes, func(a, b node) int { return natural(a.name, b.name) })
		racks = append(racks, *r)
	}
	slices.SortFunc(racks, func(a, b rack) int {
		return cmp.Or(natural(a.spine, b.spine), natural(a.name, b.name))
	})
	return racks
}

// natural orders names that end in numbers by these: n9 before n10.
func natural(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// look reads pods, then gangs: a gang that has pods was admitted before, and is seen to be.
func (o *observer) look(ctx context.Context) (world, error) {
	var pods corev1.PodList
	if err := o.client.List(ctx, &pods, client.HasLabels{v1alpha1.LabelGang}); err != nil {
		return world{}, fmt.Errorf("listing pods: %w", err)
	}
	var gangs v1alpha1.GangJobList
	if err := o.client.List(ctx, &gangs); err != nil {
		return world{}, fmt.Errorf("listing gangs: %w", err)
	}
	var w world
	for i := range gangs.Items {
		g, err := rowOf(&gangs.Items[i])
		if err != nil {
			return world{}, err
		}
		w.gangs = append(w.gangs, g)
	}
	slices.SortStableFunc(w.gangs, func(a, b gang) int {
		return cmp.Or(a.created.Compare(b.created), cmp.Compare(a.key(), b.key()))
	})
	w.racks = occupied(o.racks, pods.Items)
	return w, nil
}

// rowOf reads what the table shows of a gang.
func rowOf(job *v1alpha1.GangJob) (gang, error) {
	s := &job.Status
	g := gang{
		namespace: job.Namespace, name: job.Name, tier: job.Spec.Tier, phase: s.Phase, reason: s.Reason, message: s.Message,
		readyPods: s.ReadyPods, accelerators: s.Accelerators.Value(), attempts: s.Attempts, preemptions: s.Preemptions,
		created: job.CreationTimestamp.Time,
	}
	if s.Assignment == nil || s.Berth == nil || !s.Berth.State.Counts() {
		return g, nil
	}
	g.domain = s.Assignment.Domain
	for _, role := range s.Assignment.Roles {
		nodes, err := assignment.Ranks(role)
		if err != nil {
			return gang{}, fmt.Errorf("assignment of %s: %w", g.key(), err)
		}
		g.nodes = append(g.nodes, nodes...)
	}
	return g, nil
}

// occupied is the map with the pods that hold their nodes.
func occupied(racks []rack, pods []corev1.Pod) []rack {
	holders := map[string]node{}
	for i := range pods {
		pod := &pods[i]
		if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		n := holders[pod.Spec.NodeName]
		n.name, n.gang, n.pods = pod.Spec.NodeName, pod.Namespace+"/"+pod.Labels[v1alpha1.LabelGang], n.pods+1
		holders[n.name] = n
	}
	full := make([]rack, len(racks))
	for i, r := range racks {
		full[i] = rack{spine: r.spine, name: r.name, nodes: slices.Clone(r.nodes)}
		for k, n := range full[i].nodes {
			if holder, held := holders[n.name]; held {
				full[i].nodes[k] = holder
			}
		}
	}
	return full
}
