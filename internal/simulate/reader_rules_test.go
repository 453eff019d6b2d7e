package simulate

import (
	"strings"
	"testing"
)

func TestReadHoldsManifestsAgainstTheRulesOfTheAPI(t *testing.T) {
	submit := nodes + "  events:\n  - at: 0s\n    submit: {template: one, namespace: a, name: x}\n"
	tests := map[string]struct {
		// old and new are a change of head; spec follows it.
		old, new, spec string
		// line counts from the start of the file, or, negative, from the end of head.
		line int
		want string
	}{
		"a level that no pool has, in a template": {
			`spec: {roles:`, `spec: {topology: {required: cage}, roles:`, submit, 14, "spec.topology.required",
		},
		"a level that no pool has, in an override": {
			"", "", submit + "    set: {spec.topology: {required: cage}}\n", -6, "spec.events[0].set[spec.topology]: spec.topology.required",
		},
		"a template that is not used":  {`replicas: 1`, `replicas: 20000`, nodes, 14, "spec.roles[0].replicas"},
		"a team that weighs too much":  {`spec: {namespaces: [a]}`, `spec: {namespaces: [a], weight: 2000}`, nodes, 9, "spec.weight"},
		"a patch that the API refuses": {"", "", nodes + "  events:\n  - {at: 0s, patch: {kind: Team, name: a, merge: {spec: {weight: 0}}}}\n  - {at: 0s, patch: {kind: Team, name: a, merge: {spec: {weight: 2000}}}}\n", -5, "spec.events[1].patch.merge: the Team that this makes: spec.weight"},
		"a tier that the team forbids": {`spec: {namespaces: [a]}`, `spec: {namespaces: [a], tiers: [Batch]}`, submit + "    set: {spec.tier: Production}\n", -6, "spec.events[0].set[spec.tier]: spec.tier"},
		"a name that is too long":      {"", "", nodes + "  events:\n  - {at: 0s, submit: {template: one, namespace: a, name: " + strings.Repeat("x", 70) + "}}\n", -4, "spec.events[0].submit.name"},
		"two levels of one name":       {`levels: [{name: rack, nodeLabel: rack}]`, `levels: [{name: node, nodeLabel: rack}]`, nodes, 4, "spec.levels[0].name"},
		"more grace than the manager allows": {
			`spec: {roles:`, `spec: {checkpoint: {gracePeriod: 1h}, roles:`, submit, 14, "spec.checkpoint.gracePeriod",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in, mistakes := Read([]byte(strings.Replace(head, test.old, test.new, 1) + test.spec))
			if in != nil {
				t.Fatal("got an input, want mistakes")
			}
			line := test.line
			if line < 0 {
				line = headLines - line
			}
			for _, m := range mistakes {
				if m.Line == line && strings.HasPrefix(m.Path+": "+m.Message, test.want) {
					return
				}
			}
			t.Errorf("got no mistake %q in line %d; all:\n%s", test.want, line, mistakes.Error())
		})
	}
}
