package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/simulate"
)

// occupy puts a pod on a node that Berth does not manage.
func (p *performance) occupy(ctx context.Context, e simulate.Occupy) error {
	if err := p.vacate(ctx, e.Name); err != nil {
		return err
	}
	requests := corev1.ResourceList{}
	for name, q := range quantities(e.Requests) {
		if name != corev1.ResourcePods {
			requests[name] = resource.MustParse(q)
		}
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: e.Name},
		Spec: corev1.PodSpec{NodeName: e.Node, Containers: []corev1.Container{{
			Name: "main", Image: "none", Resources: corev1.ResourceRequirements{Requests: requests, Limits: requests},
		}}},
	}
	return p.api.Create(ctx, pod)
}

// vacate removes such a pod, if it is there.
func (p *performance) vacate(ctx context.Context, name string) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name}}
	return client.IgnoreNotFound(p.api.Delete(ctx, pod, client.GracePeriodSeconds(0)))
}

// fail lets a node die. What else its gangs have stops at once when it is told to, and foreign pods on it are gone.
func (p *performance) fail(ctx context.Context, node string) error {
	var pods corev1.PodList
	if err := p.api.List(ctx, &pods); err != nil {
		return err
	}
	on := slices.DeleteFunc(pods.Items, func(pod corev1.Pod) bool {
		return pod.Spec.NodeName != node || pod.Status.Phase != corev1.PodRunning
	})
	struck := map[string]*actor{}
	for i := range on {
		pod := &on[i]
		if uid := pod.Labels[v1alpha1.LabelGangUID]; uid == "" {
			if err := p.vacate(ctx, pod.Name); err != nil {
				return err
			}
		} else if a := p.gangs[pod.Namespace+"/"+pod.Labels[v1alpha1.LabelGang]]; a != nil && string(a.uid) == uid {
			struck[uid] = a
		}
	}
	for _, a := range struck {
		a.program.lose(p.now)
		if err := p.stop(ctx, a, nil); err != nil {
			return err
		}
	}
	return p.Cluster.FailNode(ctx, node)
}

// setUnschedulable cordons a node or opens it again.
func (p *performance) setUnschedulable(ctx context.Context, name string, cordoned bool) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	return p.edit(ctx, node, func() { node.Spec.Unschedulable = cordoned })
}

// cordonDomain sets the cordon of a domain of a pool, once the manager has written that domain.
func (s *Stage) cordonDomain(ctx context.Context, want *v1alpha1.TopologyDomain) error {
	var domain *v1alpha1.TopologyDomain
	what := fmt.Sprintf("pool %s has a domain %s", want.Spec.Pool, strings.Join(want.Spec.Path, "/"))
	err := s.Cluster.WaitFor(ctx, what, func(ctx context.Context) (bool, error) {
		var list v1alpha1.TopologyDomainList
		if err := s.api.List(ctx, &list); err != nil {
			return false, err
		}
		for i := range list.Items {
			if d := &list.Items[i]; d.Spec.Pool == want.Spec.Pool && slices.Equal(d.Spec.Path, want.Spec.Path) {
				domain = d
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	return s.edit(ctx, domain, func() { domain.Spec.Cordoned = want.Spec.Cordoned })
}
