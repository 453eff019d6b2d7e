package simulate

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

// wrong is a scheduler that decides what a test tells it to, whether that is right or not.
type wrong struct {
	*engine.State
	decide func(now engine.Time) []engine.Decision
}

func (w wrong) Decide(now engine.Time) []engine.Decision { return w.decide(now) }

func (w wrong) Next(engine.Time) (engine.Time, bool) { return 0, false }

// once decides so at the first call, and nothing later.
func once(decisions ...engine.Decision) func(engine.Time) []engine.Decision {
	return func(engine.Time) []engine.Decision {
		now := decisions
		decisions = nil
		return now
	}
}

func admit(gang string, nodes ...string) engine.Decision {
	return engine.Decision{Kind: engine.Admit, Gang: gang, Slot: engine.Slot{
		Pool: "h100", Roles: []engine.RoleSlot{{Role: "worker", Nodes: nodes}},
	}}
}

// withQuota is head with a quota for team a.
func withQuota(entry string) string {
	before, after, _ := strings.Cut(head, "---\n")
	return before + "---\napiVersion: berth.dev/v1alpha1\nkind: Quota\nmetadata: {name: a}\nspec: {team: a, resources: [" + entry + "]}\n---\n" + after
}

// failures plays events on two nodes of eight GPUs, one a rack, and returns what did not hold.
func failures(t *testing.T, spec string, s func(*Input) Scheduler) string {
	t.Helper()
	in, mistakes := Read([]byte(withQuota(`{pool: h100, resource: nvidia.com/gpu, guaranteed: "16"}`) + nodes + spec))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	options := Options{}
	if s != nil {
		options.Scheduler = s(in)
	}
	var all []string
	for _, f := range Run(in, options).Failures {
		all = append(all, f.String())
	}
	return strings.Join(all, "\n")
}

func TestWrongDecisionsAreFound(t *testing.T) {
	const submit = "  events:\n  - at: 0s\n    submit: {template: one, namespace: a, name: \"x{i}\", count: 2}\n    set: "
	tests := map[string]struct {
		set       string
		decisions []engine.Decision
		want      string
	}{
		"more than a node holds": {
			"{spec.roles.0.template.spec.containers.0.resources: {limits: {nvidia.com/gpu: \"5\"}}}",
			[]engine.Decision{admit("a/x0", "n0"), admit("a/x1", "n0")},
			"at 0s node n0 holds 10 nvidia.com/gpu of 8",
		},
		"a part of a slot": {
			"{spec.roles.0.replicas: 2}", []engine.Decision{admit("a/x0", "n0")}, "at 0s a/x0 holds 1 pods of role worker, want 2 to 2",
		},
		"a node that does not exist": {
			"{spec.priority: 0}", []engine.Decision{admit("a/x0", "n9")}, "at 0s a/x0 holds node n9, which does not exist",
		},
		"a required level in two domains": {
			"{spec.roles.0.replicas: 2, spec.topology: {required: rack}}",
			[]engine.Decision{admit("a/x0", "n0", "n1")},
			"at 0s a/x0 requires one rack and holds nodes in 2: r0, r1",
		},
		"a group in two domains": {
			"{spec.roles.0.replicas: 2, spec.roles.0.groups: [{size: 2, level: node}]}",
			[]engine.Decision{admit("a/x0", "n0", "n1")},
			"at 0s a/x0 requires one node for ranks 0 to 1 of role worker",
		},
		"a gang that is not there": {
			"{spec.priority: 0}", []engine.Decision{admit("a/y", "n0")}, "at 0s the engine decides Admit for a/y, which is not there",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := failures(t, submit+test.set+"\n", func(in *Input) Scheduler {
				return wrong{engine.New(in.Config), once(test.decisions...)}
			})
			if !strings.Contains(got, test.want) {
				t.Errorf("got failures\n%s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAStartAboveALimitIsFound(t *testing.T) {
	in, mistakes := Read([]byte(withQuota(`{pool: h100, resource: nvidia.com/gpu, guaranteed: "1", limit: "1"}`) + nodes +
		"  events: [{at: 0s, submit: {template: one, namespace: a, name: \"x{i}\", count: 2}}]\n"))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	report := Run(in, Options{Scheduler: wrong{engine.New(in.Config), once(admit("a/x0", "n0"), admit("a/x1", "n0"))}})
	want := "puts team a at 2 nvidia.com/gpu of pool h100, above its limit of 1"
	if len(report.Failures) == 0 || !strings.Contains(report.Failures[0].Message, want) {
		t.Errorf("got failures %v, want %s", report.Failures, want)
	}
}

// fickle admits the gang whenever it waits and evicts it as soon as it runs.
type fickle struct {
	*engine.State
	gang engine.Gang
}

func (f *fickle) SetGang(g engine.Gang) {
	f.State.SetGang(g)
	f.gang = g
}

func (f *fickle) Decide(engine.Time) []engine.Decision {
	switch {
	case f.gang.Berth == nil:
		return []engine.Decision{admit(f.gang.ID, "n0")}
	case f.gang.Berth.Leaving == nil:
		return []engine.Decision{{Kind: engine.Evict, Gang: f.gang.ID, For: "a/y", Rule: engine.ByTier}}
	default:
		return nil
	}
}

func (f *fickle) Next(engine.Time) (engine.Time, bool) { return 0, false }

func TestALoopOfEvictionsIsFoundAndNamesTheGang(t *testing.T) {
	got := failures(t, "  events: [{at: 0s, submit: {template: one, namespace: a, name: x}}]\n", func(in *Input) Scheduler {
		return &fickle{State: engine.New(in.Config)}
	})
	if want := "at 1m30s a/x was evicted 3 times though nothing but evictions and admissions happened meanwhile: a loop"; got != want {
		t.Errorf("got failures\n%s\nwant %s", got, want)
	}
}

func TestDecidingForEverIsFound(t *testing.T) {
	got := failures(t, "  events: [{at: 0s, submit: {template: one, namespace: a, name: x}}]\n", func(in *Input) Scheduler {
		return wrong{engine.New(in.Config), func(now engine.Time) []engine.Decision {
			return []engine.Decision{{Kind: engine.Head, Gang: "a/x", At: now}}
		}}
	})
	if want := "at 0s the engine decides for ever, lastly Head a/x"; got != want {
		t.Errorf("got failures\n%s\nwant %s", got, want)
	}
}

func TestExpectationsOfEveryKindCanFail(t *testing.T) {
	const events = "  events:\n  - {at: 0s, submit: {template: one, namespace: a, name: x}, runs: 30m}\n  - {at: 10m, submit: {template: one, namespace: a, name: late}, set: {spec.suspend: true}}\n  expect:\n  - "
	for expect, want := range map[string]string{
		"{at: 0s, gangJob: a/x, phase: Pending}":                                  "found phase Running on n0",
		"{at: 40m, gangJob: a/x, phase: [Running, Failed]}":                       "phase Running or Failed: found phase Succeeded",
		"{by: 1h, gangJob: a/late, phase: Running}":                               "found phase Pending, Held: held by its user",
		"{always: true, gangJob: a/x, phase: Running}":                            "always a/x phase Running: found phase Succeeded at 30m",
		"{at: 0s, gangJob: a/none, phase: Running}":                               "found no such gang",
		"{at: 0s, gangJob: a/none*, phase: Running}":                              "found no such gang",
		"{at: 20m, gangJob: a/late, reason: Paused}":                              "found phase Pending, Held",
		"{at: 20m, gangJob: a/late, message: quota}":                              "found message \"held by its user",
		"{at: 0s, gangJob: a/x, nodes: [n1]}":                                     "found phase Running on n0",
		"{at: 0s, gangJob: a/x, ranks: [n0, n1]}":                                 "found phase Running on n0",
		"{at: 0s, gangJob: a/x, preemptions: {min: 1}}":                           "preemptions at least 1: found 0 preemptions",
		"{at: 0s, gangJob: a/x, restarts: 2}":                                     "restarts 2: found 0 restarts",
		"{at: 20m, gangJob: a/late, estimatedStart: {notAfter: 1h}}":              "found phase Pending, Held",
		"{at: 0s, count: {phase: Running, namespace: a, min: 2}}":                 "count of Running in a at least 2: found 1",
		"{at: 0s, usage: {team: a, pool: h100, resource: nvidia.com/gpu, is: 2}}": "in h100, 2: found 1",
		"{at: 1h, summary: {utilization: {min: 0.5}, preemptions: 0}}":            "found utilization 0.0313",
	} {
		if got := failures(t, events+expect+"\n", nil); !strings.Contains(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", expect, got, want)
		}
	}
}

func TestWithinCountsDomains(t *testing.T) {
	const events = "  events: [{at: 0s, submit: {template: one, namespace: a, name: x}, set: {spec.roles.0.replicas: 16}}]\n  expect:\n"
	if got := failures(t, events+"  - {at: 0s, gangJob: a/x, within: {label: rack, domains: 2}}\n", nil); got != "" {
		t.Error(got)
	}
	got := failures(t, events+"  - {at: 0s, gangJob: a/x, within: {label: rack, domains: 1}}\n", nil)
	if !strings.Contains(got, "found rack in 2: r0,r1") {
		t.Errorf("got %q", got)
	}
}
