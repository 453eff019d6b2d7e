package gang

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MaxDomainValues is how many label values a Job's node affinity names at most. It only narrows what kube-scheduler looks
// at: the pod webhook pins each rank to its node.
const MaxDomainValues = 64

// Where says on which nodes a slot lies, as far as labels can say it.
type Where struct {
	// Label is a node label and Values the values of it that the slot's nodes carry. Without values every node will do.
	Label  string
	Values []string
	// Pool selects the pool's nodes.
	Pool *metav1.LabelSelector
	// Pods is how many pods of the role the slot has; zero: all.
	Pods int32
}

// Release changes a suspended Job so that its pods are made: on nodes of the slot for a role in the slot, off the pool for
// a free one.
func Release(job *batchv1.Job, where Where, free bool) {
	job.Spec.Suspend = new(false)
	if where.Pods > 0 {
		Resize(job, where.Pods)
	}
	spec := &job.Spec.Template.Spec
	switch {
	case free:
		require(spec, offPool(where.Pool))
	case len(where.Values) > 0 && len(where.Values) <= MaxDomainValues:
		require(spec, []corev1.NodeSelectorRequirement{{
			Key: where.Label, Operator: corev1.NodeSelectorOpIn, Values: slices.Sorted(slices.Values(where.Values)),
		}})
	}
}

// Resize changes how many pods a Job has; the highest ranks go first.
func Resize(job *batchv1.Job, pods int32) {
	job.Spec.Parallelism, job.Spec.Completions = new(pods), new(pods)
}

// require narrows a pod's required node affinity to nodes that also satisfy one of the alternatives.
func require(spec *corev1.PodSpec, alternatives []corev1.NodeSelectorRequirement) {
	if len(alternatives) == 0 {
		return
	}
	if spec.Affinity == nil {
		spec.Affinity = &corev1.Affinity{}
	}
	if spec.Affinity.NodeAffinity == nil {
		spec.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	affinity := spec.Affinity.NodeAffinity
	terms := []corev1.NodeSelectorTerm{{}}
	if required := affinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		terms = required.NodeSelectorTerms
	}
	var narrowed []corev1.NodeSelectorTerm
	for _, alternative := range alternatives {
		for _, term := range terms {
			term.MatchExpressions = append(slices.Clone(term.MatchExpressions), alternative)
			narrowed = append(narrowed, term)
		}
	}
	affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: narrowed}
}

// negated are the operators that hold where another does not.
var negated = map[metav1.LabelSelectorOperator]corev1.NodeSelectorOperator{
	metav1.LabelSelectorOpIn:           corev1.NodeSelectorOpNotIn,
	metav1.LabelSelectorOpNotIn:        corev1.NodeSelectorOpIn,
	metav1.LabelSelectorOpExists:       corev1.NodeSelectorOpDoesNotExist,
	metav1.LabelSelectorOpDoesNotExist: corev1.NodeSelectorOpExists,
}

// offPool returns alternatives of which a node satisfies one exactly if the pool does not select it.
func offPool(pool *metav1.LabelSelector) []corev1.NodeSelectorRequirement {
	if pool == nil {
		return nil
	}
	var out []corev1.NodeSelectorRequirement
	for _, key := range sortedKeys(pool.MatchLabels) {
		out = append(out, corev1.NodeSelectorRequirement{
			Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: []string{pool.MatchLabels[key]},
		})
	}
	for _, e := range pool.MatchExpressions {
		out = append(out, corev1.NodeSelectorRequirement{Key: e.Key, Operator: negated[e.Operator], Values: slices.Clone(e.Values)})
	}
	return out
}
