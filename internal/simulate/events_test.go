package simulate

import "testing"

func TestEventsHaveTheirEffect(t *testing.T) {
	const submit = "  events:\n  - {at: 0s, submit: {template: one, namespace: a, name: x}, set: {spec.roles.0.template.spec.containers.0.resources: {limits: {nvidia.com/gpu: \"8\"}}, spec.roles.0.replicas: 2}}\n"
	for name, spec := range map[string]string{
		"a deleted gang frees its nodes at once": submit +
			"  - {at: 1m, submit: {template: one, namespace: a, name: z}}\n  - {at: 10m, delete: {gangJob: a/x}}\n" +
			"  expect:\n  - {at: 9m, gangJob: a/z, phase: Pending}\n  - {at: 10m, gangJob: a/z, phase: Running}\n  - {at: 10m, count: {phase: Running, is: 1}}\n",
		"a run that is longer than its maxRuntime fails": "  events:\n" +
			"  - {at: 0s, submit: {template: one, namespace: a, name: x}, set: {spec.maxRuntime: 20m}, runs: 30m}\n" +
			"  expect:\n  - {at: 19m, gangJob: a/x, phase: Running}\n  - {at: 20m, gangJob: a/x, phase: Failed}\n",
		"a run that is as long as its maxRuntime succeeds": "  events:\n" +
			"  - {at: 0s, submit: {template: one, namespace: a, name: x}, set: {spec.maxRuntime: 30m}, runs: 30m}\n" +
			"  expect:\n  - {at: 30m, gangJob: a/x, phase: Succeeded}\n",
		"a failed node takes the pods of others with it": "  events:\n  - {at: 0s, occupy: {node: n0, name: p, requests: {nvidia.com/gpu: \"8\"}}}\n" +
			"  - {at: 1m, fail: {node: n0}}\n  - {at: 2m, recover: {node: n0}}\n" +
			"  - {at: 3m, submit: {template: one, namespace: a, name: x}, set: {spec.roles.0.replicas: 16}}\n" +
			"  expect:\n  - {at: 3m, gangJob: a/x, phase: Running}\n",
		"a gang goes back to its last own save when its node fails": "  events:\n" +
			"  - {at: 0s, submit: {template: one, namespace: a, name: x}, runs: 30m, checkpoints: {every: 10m}}\n  - {at: 25m, fail: {node: n0}}\n" +
			"  expect:\n  - {at: 25m, gangJob: a/x, phase: Running, nodes: [n1], preemptions: 0, restarts: 0}\n" +
			"  - {at: 34m, gangJob: a/x, phase: Running}\n  - {at: 35m, gangJob: a/x, phase: Succeeded}\n",
		"a held gang leaves and comes back when it is let go": "  events:\n" +
			"  - {at: 0s, submit: {template: one, namespace: a, name: x}, set: {spec.checkpoint: {signal: SIGTERM}}, runs: 30m, checkpoints: {save: 10s}}\n" +
			"  - {at: 10m, patch: {kind: GangJob, namespace: a, name: x, merge: {spec: {suspend: true}}}}\n" +
			"  - {at: 20m, patch: {kind: GangJob, namespace: a, name: x, merge: {spec: {suspend: false}}}}\n" +
			"  expect:\n  - {at: 10m5s, gangJob: a/x, phase: Preempting}\n  - {at: 10m10s, gangJob: a/x, phase: Pending, reason: Held, preemptions: 0}\n" +
			"  - {at: 20m, gangJob: a/x, phase: Running}\n  - {at: 40m, gangJob: a/x, phase: Succeeded}\n",
		"a whole pool is cordoned": "  events:\n  - {at: 0s, patch: {kind: TopologyDomain, name: h100, merge: {spec: {cordoned: true}}}}\n" +
			"  - {at: 1m, submit: {template: one, namespace: a, name: x}}\n  - {at: 10m, patch: {kind: TopologyDomain, name: h100, merge: {spec: {cordoned: false}}}}\n" +
			"  expect:\n  - {at: 9m, gangJob: a/x, phase: Pending}\n  - {at: 10m, gangJob: a/x, phase: Running}\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := failures(t, spec, nil); got != "" {
				t.Error(got)
			}
		})
	}
}

func TestAPatchOfWhatIsFrozenIsRefused(t *testing.T) {
	got := failures(t, "  events:\n  - {at: 0s, submit: {template: one, namespace: a, name: x}}\n"+
		"  - {at: 1m, patch: {kind: GangJob, namespace: a, name: x, merge: {spec: {topology: {required: rack}}}}}\n", nil)
	if want := "at 1m the patch of a/x is refused: spec.topology is frozen while the gang holds a berth"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
