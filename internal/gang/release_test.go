package gang

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func in(key string, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
}

func notIn(key string, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: values}
}

func term(requirements ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: requirements}
}

func TestReleaseNarrowsTheUsersAffinity(t *testing.T) {
	many := make([]string, MaxDomainValues+1)
	for i := range many {
		many[i] = fmt.Sprintf("r%02d", i)
	}
	pool := &metav1.LabelSelector{
		MatchLabels:      map[string]string{"gpu": "h100"},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "zone", Operator: metav1.LabelSelectorOpExists}},
	}
	offZone := corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpDoesNotExist}
	for name, test := range map[string]struct {
		own   []corev1.NodeSelectorTerm
		where Where
		free  bool
		want  []corev1.NodeSelectorTerm
	}{
		"a slot in one rack":                   {nil, Where{Label: "rack", Values: []string{"r1"}}, false, []corev1.NodeSelectorTerm{term(in("rack", "r1"))}},
		"every term of the user's is narrowed": {[]corev1.NodeSelectorTerm{term(in("a", "1")), term(in("b", "2"))}, Where{Label: "rack", Values: []string{"r1"}}, false, []corev1.NodeSelectorTerm{term(in("a", "1"), in("rack", "r1")), term(in("b", "2"), in("rack", "r1"))}},
		"a slot of too many domains":           {nil, Where{Label: "rack", Values: many}, false, nil},
		"a slot of as many domains as may be":  {nil, Where{Label: "rack", Values: many[:MaxDomainValues]}, false, []corev1.NodeSelectorTerm{term(in("rack", many[:MaxDomainValues]...))}},
		"a slot without labels":                {nil, Where{}, false, nil},
		"a free role goes off the pool":        {nil, Where{Label: "rack", Values: []string{"r1"}, Pool: pool}, true, []corev1.NodeSelectorTerm{term(notIn("gpu", "h100")), term(offZone)}},
		"a free role keeps the user's terms":   {[]corev1.NodeSelectorTerm{term(in("a", "1"))}, Where{Pool: pool}, true, []corev1.NodeSelectorTerm{term(in("a", "1"), notIn("gpu", "h100")), term(in("a", "1"), offZone)}},
	} {
		t.Run(name, func(t *testing.T) {
			g := training()
			if test.own != nil {
				worker(g).Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
					RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: test.own},
				}}
			}
			j := Job(g, worker(g), 1, Options{})
			Release(j, test.where, test.free)
			if *j.Spec.Suspend {
				t.Error("the Job is still suspended")
			}
			var got []corev1.NodeSelectorTerm
			if a := j.Spec.Template.Spec.Affinity; a != nil {
				got = a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("terms (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReleaseGivesAnElasticRoleTheSizeOfItsSlot(t *testing.T) {
	g := training()
	j := Job(g, worker(g), 1, Options{})
	Release(j, Where{Pods: 3}, false)
	if *j.Spec.Completions != 3 || *j.Spec.Parallelism != 3 {
		t.Errorf("completions %d, parallelism %d, want 3", *j.Spec.Completions, *j.Spec.Parallelism)
	}
}
