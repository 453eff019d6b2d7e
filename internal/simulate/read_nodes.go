package simulate

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// defaultPods is how many pods a node takes where its capacity does not say.
const defaultPods = 110

// nodes reads spec.nodes.
func (r *reader) nodes() {
	r.machines = map[string]bool{}
	for i, t := range r.scenario.Spec.Nodes {
		path := fmt.Sprintf("spec.nodes[%d]", i)
		if r.nodeTemplate(path, &t) {
			for k := range max(t.Count, 1) {
				r.node(path, &t, k)
			}
		}
	}
}

// nodeTemplate checks a template and reports whether nodes can be made of it.
func (r *reader) nodeTemplate(path string, t *nodeTemplate) bool {
	before := len(r.mistakes)
	if t.Count < 0 {
		r.wrong(path+".count", "got %d, want 1 or more", t.Count)
	}
	if len(r.machines)+t.Count > maxScenarioNodes {
		r.wrong(path+".count", "more than %d nodes in all", maxScenarioNodes)
	}
	if t.Name == "" {
		r.wrong(path+".name", "missing")
	}
	if err := checkNumbering(t.Name); err != nil {
		r.wrong(path+".name", "%s", err)
	}
	for _, key := range sortedKeys(t.Labels) {
		if err := checkNumbering(t.Labels[key]); err != nil {
			r.wrong(path+".labels["+key+"]", "%s", err)
		}
	}
	for _, name := range sortedKeys(t.Capacity) {
		if q := t.Capacity[name]; q.Sign() < 0 {
			r.wrong(path+".capacity["+string(name)+"]", "got %s, want 0 or more", q.String())
		}
	}
	for k, taint := range t.Taints {
		switch taint.Effect {
		case corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule:
		default:
			r.wrong(fmt.Sprintf("%s.taints[%d].effect", path, k), "got %q, want NoSchedule, PreferNoSchedule or NoExecute", taint.Effect)
		}
	}
	return len(r.mistakes) == before
}

// node makes the k-th node of a template.
func (r *reader) node(path string, t *nodeTemplate, k int) {
	name := expand(t.Name, k)
	if r.machines[name] {
		r.wrong(path+".name", "a second node %s; with count above 1 the name needs {i}", name)
		return
	}
	r.machines[name] = true
	labels := map[string]string{}
	for key, value := range t.Labels {
		labels[key] = expand(value, k)
	}
	labels[corev1.LabelHostname] = name
	capacity := maps.Clone(t.Capacity)
	if capacity == nil {
		capacity = corev1.ResourceList{}
	}
	if _, given := capacity[corev1.ResourcePods]; !given {
		capacity[corev1.ResourcePods] = *resource.NewQuantity(defaultPods, resource.DecimalSI)
	}
	r.in.Nodes = append(r.in.Nodes, nodeOf(name, labels, t.Taints, capacity))
}

// nodeOf is a node that is Ready.
func nodeOf(name string, labels map[string]string, taints []corev1.Taint, capacity corev1.ResourceList) engine.Node {
	return translate.Node(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       corev1.NodeSpec{Taints: taints},
		Status: corev1.NodeStatus{
			Allocatable: capacity,
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	})
}
