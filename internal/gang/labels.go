package gang

import (
	"maps"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Selector are the labels that all pods of a gang carry, whatever their attempt.
func Selector(g *v1alpha1.GangJob) map[string]string {
	return map[string]string{v1alpha1.LabelGang: g.Name, v1alpha1.LabelGangUID: string(g.UID)}
}

// Labels are the labels of what belongs to one role and attempt.
func Labels(g *v1alpha1.GangJob, role string, attempt int32) map[string]string {
	labels := Selector(g)
	labels[v1alpha1.LabelRole] = role
	labels[v1alpha1.LabelAttempt] = strconv.Itoa(int(attempt))
	return labels
}

// Annotations that only the pods of some frameworks carry.
const (
	// AnnotationGangRank is the rank of a pod among all ranks of its gang, from 0. The pod webhook sets it.
	AnnotationGangRank = v1alpha1.KeyPrefix + "gang-rank"
	// AnnotationHostfile is the MPI host file of the gang.
	AnnotationHostfile = v1alpha1.KeyPrefix + "hostfile"
)

// owner is the reference of a child to its gang.
func owner(g *v1alpha1.GangJob) []metav1.OwnerReference {
	return []metav1.OwnerReference{*metav1.NewControllerRef(g, v1alpha1.GroupVersion.WithKind("GangJob"))}
}

// merged returns base with more laid over it.
func merged(base, more map[string]string) map[string]string {
	out := make(map[string]string, len(base)+len(more))
	maps.Copy(out, base)
	maps.Copy(out, more)
	return out
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
