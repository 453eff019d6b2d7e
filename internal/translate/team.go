package translate

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Team converts a team.
func Team(t *v1alpha1.Team) engine.Team {
	return engine.Team{
		Name: t.Name, Parent: t.Spec.Parent, Weight: max(int64(t.Spec.Weight), 1),
		Paused:  t.Spec.StopPolicy == v1alpha1.StopHold || t.Spec.StopPolicy == v1alpha1.StopDrain,
		Drained: t.Spec.StopPolicy == v1alpha1.StopDrain,
	}
}

// Claims reports whether a team lays claim to a namespace, by name or by label. A selector that is not valid selects nothing.
func Claims(t *v1alpha1.Team, namespace string, namespaceLabels map[string]string) bool {
	if slices.Contains(t.Spec.Namespaces, namespace) {
		return true
	}
	if t.Spec.NamespaceSelector == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(t.Spec.NamespaceSelector)
	return err == nil && selector.Matches(labels.Set(namespaceLabels))
}
