package state

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// pod is what is kept of a pod.
type pod struct {
	key      string
	node     string // where it is, or is pinned to
	bound    bool
	ended    bool
	system   bool
	requests engine.Amounts
	// job is the Job that made the pod, index its completion index there, -1 if it has none.
	job   types.UID
	index int
	// foreign tells that the engine counts it as a pod of others.
	foreign bool
}

// SetPod learns of a pod.
func (c *Cache) SetPod(p *corev1.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := newPod(p)
	if old := c.pods[next.key]; old != nil {
		if old.node == next.node && old.bound == next.bound && old.ended == next.ended && old.job == next.job {
			return // requests of a running pod change rarely, and are read again when something else does
		}
		next.foreign = old.foreign
		if old.system && old.node != next.node {
			c.setSystem(old.node, old.key, nil)
		}
	}
	c.pods[next.key] = next
	if next.job != "" {
		byKey(c.podsOf, next.job)[next.key] = next
	}
	c.place(next)
	c.touch(next)
}

// RemovePod learns that a pod is gone.
func (c *Cache) RemovePod(key types.NamespacedName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pods[key.String()]
	if p == nil {
		return
	}
	p.ended = true
	c.place(p)
	delete(c.pods, p.key)
	if p.job != "" {
		delete(c.podsOf[p.job], p.key)
		if len(c.podsOf[p.job]) == 0 {
			delete(c.podsOf, p.job)
		}
	}
	c.touch(p)
}

// place tells the engine what a pod takes from its node, if it is not part of a berth.
func (c *Cache) place(p *pod) {
	if p.system {
		if p.ended {
			c.setSystem(p.node, p.key, nil)
		} else if p.node != "" {
			c.setSystem(p.node, p.key, p.requests)
		}
		return
	}
	foreign := !p.ended && p.node != "" && !c.inBerth(p)
	switch {
	case foreign:
		c.engine.SetForeign(engine.Foreign{Name: p.key, Node: p.node, Requests: p.requests})
		c.changed()
	case p.foreign:
		c.engine.RemoveForeign(p.key)
		c.changed()
	}
	p.foreign = foreign
}

// inBerth tells whether a pod stands on room that its gang's berth counts already: a pod of a role in the slot, of the
// attempt that the berth is for. Every other pod uses its node on its own, be it one of a gang that was deleted.
func (c *Cache) inBerth(p *pod) bool {
	j := c.jobs[p.job]
	if j == nil {
		return false
	}
	g := c.gangs[j.gang]
	return g != nil && g.owns(j) && g.holds(j.attempt) && g.inSlot(j.role)
}

// touch wakes whoever waits for the pods of a gang to go.
func (c *Cache) touch(p *pod) {
	if j := c.jobs[p.job]; j != nil {
		c.notify(j.gang)
	}
}

func newPod(p *corev1.Pod) *pod {
	next := &pod{
		key: p.Namespace + "/" + p.Name, node: p.Spec.NodeName, bound: p.Spec.NodeName != "", index: -1,
		ended:    p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed,
		system:   translate.IsSystemPod(p),
		requests: translate.Requests(&p.Spec),
	}
	owner := metav1.GetControllerOf(p)
	if owner == nil || owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
		return next
	}
	next.job = owner.UID
	if i, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation]); err == nil {
		next.index = i
	}
	if !next.bound {
		next.node = pinned(&p.Spec)
	}
	return next
}

// pinned returns the node that a pod's required affinity names in every term, if it is one.
func pinned(spec *corev1.PodSpec) string {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return ""
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return ""
	}
	name := ""
	for _, term := range required.NodeSelectorTerms {
		for _, field := range term.MatchFields {
			if field.Key == metav1.ObjectNameField && field.Operator == corev1.NodeSelectorOpIn && len(field.Values) == 1 {
				if name != "" && name != field.Values[0] {
					return ""
				}
				name = field.Values[0]
			}
		}
	}
	return name
}

// byKey returns the inner map of m under k, made where it is missing.
func byKey[K, L comparable, V any](m map[K]map[L]V, k K) map[L]V {
	inner := m[k]
	if inner == nil {
		inner = map[L]V{}
		m[k] = inner
	}
	return inner
}
