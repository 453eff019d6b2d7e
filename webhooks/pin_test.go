package webhooks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestAPodIsPinnedWithinWhatItAsksFor(t *testing.T) {
	const here = "matchFields: [{key: metadata.name, operator: In, values: [n7]}]"
	tests := map[string]struct{ affinity, want string }{
		"nothing": {
			"null",
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{" + here + "}]}}}",
		},
		"preferences": {
			"{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}]}}",
			"{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}]," +
				" requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{" + here + "}]}}}",
		},
		"alternatives, each of which is narrowed": {
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}, {matchExpressions: [{key: b, operator: Exists}]}]}}}",
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}], " + here +
				"}, {matchExpressions: [{key: b, operator: Exists}], " + here + "}]}}}",
		},
		"a node by name, which must be the same": {
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}",
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}," +
				" {key: metadata.name, operator: In, values: [n7]}]}]}}}",
		},
		"an alternative that nothing matches, which stays so": {
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, {matchExpressions: [{key: a, operator: Exists}]}]}}}",
			"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, {matchExpressions: [{key: a, operator: Exists}], " + here + "}]}}}",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var given, want *corev1.Affinity
			for manifest, into := range map[string]**corev1.Affinity{test.affinity: &given, test.want: &want} {
				if err := yaml.UnmarshalStrict([]byte(manifest), into); err != nil {
					t.Fatal(err)
				}
			}
			before := given.DeepCopy()
			if diff := cmp.Diff(want, pinned(given, "n7")); diff != "" {
				t.Errorf("affinity (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, given); diff != "" {
				t.Errorf("the pod's own affinity was changed (-before +after):\n%s", diff)
			}
		})
	}
}
