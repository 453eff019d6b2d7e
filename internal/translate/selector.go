package translate

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/engine"
)

// podSelector joins a pod's node selector and required node affinity: a node must satisfy every label of the one and a
// term of the other.
func podSelector(spec *corev1.PodSpec) engine.Selector {
	var common engine.Term
	for _, key := range slices.Sorted(maps.Keys(spec.NodeSelector)) {
		common = append(common, engine.Requirement{
			Key: key, Operator: engine.In, Values: []string{spec.NodeSelector[key]},
		})
	}
	var required *corev1.NodeSelector
	if a := spec.Affinity; a != nil && a.NodeAffinity != nil {
		required = a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	switch {
	case required != nil:
		return Narrow(NodeSelector(required), common)
	case common != nil:
		return engine.Selector{common}
	default:
		return nil
	}
}

// NodeSelector converts a core node selector, of an affinity or of a volume. One without terms, or with empty terms only,
// holds for no node.
func NodeSelector(s *corev1.NodeSelector) engine.Selector {
	selector := engine.Selector{}
	for _, t := range s.NodeSelectorTerms {
		term := make(engine.Term, 0, len(t.MatchExpressions)+len(t.MatchFields))
		for _, r := range t.MatchExpressions {
			term = append(term, requirement(r))
		}
		for _, r := range t.MatchFields { // metadata.name is the only field there is
			term = append(term, requirement(r))
		}
		if len(term) > 0 {
			selector = append(selector, term)
		}
	}
	if len(selector) == 0 {
		return engine.Selector{engine.Term{}}
	}
	return selector
}

// Narrow returns the selector that holds where s and every requirement of more hold.
func Narrow(s engine.Selector, more engine.Term) engine.Selector {
	if len(more) == 0 {
		return s
	}
	if len(s) == 0 {
		return engine.Selector{slices.Clone(more)}
	}
	out := make(engine.Selector, 0, len(s))
	for _, term := range s {
		if len(term) == 0 { // holds for no node, and must not come to hold for some
			out = append(out, term)
			continue
		}
		out = append(out, slices.Concat(term, more))
	}
	return out
}

func requirement(r corev1.NodeSelectorRequirement) engine.Requirement {
	return engine.Requirement{Key: r.Key, Operator: engine.Operator(r.Operator), Values: slices.Clone(r.Values)}
}

// nothing holds for no node.
var nothing = engine.Selector{engine.Term{}}

// labelSelector converts a label selector. As in Kubernetes an absent one holds for nothing and an empty one for
// everything.
func labelSelector(s *metav1.LabelSelector) engine.Selector {
	if s == nil {
		return nothing
	}
	var term engine.Term
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		term = append(term, engine.Requirement{Key: key, Operator: engine.In, Values: []string{s.MatchLabels[key]}})
	}
	for _, r := range s.MatchExpressions {
		term = append(term, engine.Requirement{
			Key: r.Key, Operator: engine.Operator(r.Operator), Values: slices.Clone(r.Values),
		})
	}
	if term == nil {
		return nil
	}
	return engine.Selector{term}
}
