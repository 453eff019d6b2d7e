package webhooks

import (
	"slices"
	"strconv"
	"strings"

	"gomodules.xyz/jsonpatch/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/gang"
)

// patches puts a pod on its node and tells it where it is.
func patches(pod *gangPod, berth *Berth, node string, gangRank int) []jsonpatch.Operation {
	ops := []jsonpatch.Operation{
		jsonpatch.NewOperation("add", "/spec/affinity", pinned(pod.Spec.Affinity, node)),
		jsonpatch.NewOperation("add", annotationPath(gang.AnnotationGangRank), strconv.Itoa(gangRank)),
	}
	if berth.Domain != "" {
		ops = append(ops, jsonpatch.NewOperation("add", annotationPath(v1alpha1.AnnotationDomain), berth.Domain))
	}
	guard := corev1.Toleration{
		Key: v1alpha1.LabelPool, Operator: corev1.TolerationOpEqual, Value: berth.Pool, Effect: corev1.TaintEffectNoSchedule,
	}
	if !slices.Contains(pod.Spec.Tolerations, guard) {
		ops = append(ops, jsonpatch.NewOperation("add", "/spec/tolerations", append(slices.Clone(pod.Spec.Tolerations), guard)))
	}
	return ops
}

// annotationPath is where a JSON patch finds an annotation. The pods of Indexed Jobs always have some.
func annotationPath(key string) string {
	return "/metadata/annotations/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// pinned is an affinity that holds on one node only, and there only if it held before. The terms of a node selector are
// alternatives, so that each is narrowed; one without requirements matches nothing and is left to.
func pinned(affinity *corev1.Affinity, node string) *corev1.Affinity {
	here := corev1.NodeSelectorRequirement{
		Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
	}
	out := affinity.DeepCopy()
	if out == nil {
		out = &corev1.Affinity{}
	}
	if out.NodeAffinity == nil {
		out.NodeAffinity = &corev1.NodeAffinity{}
	}
	required := out.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		out.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{here}}},
		}
		return out
	}
	for i := range required.NodeSelectorTerms {
		term := &required.NodeSelectorTerms[i]
		if len(term.MatchExpressions) > 0 || len(term.MatchFields) > 0 {
			term.MatchFields = append(term.MatchFields, here)
		}
	}
	return out
}
