package simulate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// head is a scenario that is right, up to its Scenario document's spec.
const head = `apiVersion: berth.dev/v1alpha1
kind: TopologyDomain
metadata: {name: h100}
spec: {nodeSelector: {matchLabels: {gpu: h100}}, levels: [{name: rack, nodeLabel: rack}]}
---
apiVersion: berth.dev/v1alpha1
kind: Team
metadata: {name: a}
spec: {namespaces: [a]}
---
apiVersion: berth.dev/v1alpha1
kind: GangJob
metadata: {name: one, namespace: a}
spec: {roles: [{name: worker, replicas: 1, template: {spec: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]}}}]}
---
apiVersion: sim.berth.dev/v1alpha1
kind: Scenario
metadata: {name: test}
spec:
`

// headLines is the number of lines of head: the first line after it is headLines+1.
var headLines = strings.Count(head, "\n")

const nodes = `  nodes: [{count: 2, name: "n{i}", labels: {gpu: h100, rack: "r{i}"}, capacity: {nvidia.com/gpu: "8"}}]
  until: 1h
`

// relative counts a line from the first one after head.
func relative(t *testing.T, line string) string {
	t.Helper()
	n, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("line %q: %v", line, err)
	}
	return strconv.Itoa(n - headLines)
}

func TestReadTellsMistakesByLine(t *testing.T) {
	tests := map[string]struct {
		spec string
		// want are the lines of mistakes, counted after head, and a part of each message.
		want []string
	}{
		"nothing at all": {"  description: x\n", []string{"0 spec.until: missing"}},
		"an unknown field of an event": {
			nodes + "  events:\n  - {at: 0s, sumbit: {}}\n",
			[]string{"4 spec.events[0].sumbit: unknown field", "4 spec.events[0]: got 0 actions"},
		},
		"an unknown template": {
			nodes + "  events:\n  - {at: 0s, submit: {template: two, namespace: a, name: x}}\n",
			[]string{`4 spec.events[0].submit.template: there is no GangJob "two"`},
		},
		"count without numbers": {
			nodes + "  events:\n  - {at: 0s, submit: {template: one, namespace: a, name: x, count: 2}}\n",
			[]string{"4 spec.events[0].submit.name: a second GangJob a/x"},
		},
		"set at a path that is not there": {
			nodes + "  events:\n  - at: 0s\n    submit: {template: one, namespace: a, name: x}\n    set:\n      spec.priority: high\n      spec.roles.1.replicas: 2\n",
			[]string{"7 spec.events[0].set[spec.priority]: the GangJob that this makes: spec.priority: got the text"},
		},
		"set of an item that is not there": {
			nodes + "  events:\n  - at: 0s\n    submit: {template: one, namespace: a, name: x}\n    set: {spec.roles.1.replicas: 2}\n",
			[]string{"6 spec.events[0].set[spec.roles.1.replicas]: spec.roles is a list of 1"},
		},
		"a node that is not there": {
			nodes + "  events:\n  - {at: 0s, fail: {node: n7}}\n  - {at: 0s, occupy: {node: n8, name: p}}\n",
			[]string{`4 spec.events[0].fail.node: there is no node "n7"`, `5 spec.events[1].occupy.node: there is no node "n8"`},
		},
		"something is removed before it comes": {
			nodes + "  events:\n  - {at: 5m, occupy: {node: n0, name: p}}\n  - {at: 1m, vacate: {name: p}}\n  - {at: 1m, delete: {gangJob: a/x}}\n",
			[]string{`5 spec.events[1].vacate.name: no pod "p" occupies a node by then`, `6 spec.events[2].delete.gangJob: no GangJob "a/x" is submitted by then`},
		},
		"a patch that breaks its manifest": {
			nodes + "  events:\n  - {at: 0s, patch: {kind: Team, name: a, merge: {spec: {wieght: 2}}}}\n  - {at: 0s, patch: {kind: Team, name: b, merge: {spec: {}}}}\n",
			[]string{"4 spec.events[0].patch.merge: the Team that this makes: spec.wieght: unknown field", "5 spec.events[1].patch.name: this file has no Team b"},
		},
		"after the end": {
			nodes + "  events:\n  - {at: 2h, fail: {node: n0}}\n  expect:\n  - {at: 2h, count: {phase: Running, is: 1}}\n",
			[]string{"4 spec.events[0].at: got 2h0m0s, which is after the end", "6 spec.expect[0]: got 2h0m0s, want a time of the run"},
		},
		"a name that is a boolean": {
			"  nodes: [{count: 2, name: n}]\n  until: 1h\n", []string{"1 spec.nodes[0].name: got the boolean false"},
		},
		"two nodes of one name": {
			"  nodes: [{count: 2, name: \"node\"}, {name: \"m{x}\"}]\n  until: 1h\n",
			[]string{"1 spec.nodes[0].name: a second node node", `1 spec.nodes[1].name: "m{x}": want {i}`},
		},
		"expectations that say nothing or too much": {
			nodes + "  expect:\n  - {at: 0s, gangJob: a/x}\n  - {gangJob: a/x, phase: Running}\n  - {at: 0s, gangJob: x, phase: Running}\n" +
				"  - {at: 0s, gangJob: a/x, count: {phase: Running, is: 1}}\n  - {at: 0s, phase: Running, count: {phase: Running, is: 1}}\n" +
				"  - {by: 1m, summary: {preemptions: 0}}\n  - {at: 0s, gangJob: a/x, reason: Bored}\n  - {at: 0s, gangJob: a/x, nodes: [q]}\n" +
				"  - {at: 0s, usage: {team: z, pool: h100, resource: cpu, is: 1}}\n  - {at: 0s, gangJob: a/x, preemptions: {least: 1}}\n",
			[]string{
				"4 spec.expect[0]: says nothing of a/x", "5 spec.expect[1]: got 0 of at, by and always", "6 spec.expect[2].gangJob: got \"x\"",
				"7 spec.expect[3]: got 2 of gangJob, count, usage and summary", "8 spec.expect[4]: phase, reason", "9 spec.expect[5]: summary goes with at",
				"10 spec.expect[6].reason: unknown reason \"Bored\"", "11 spec.expect[7].nodes[0]: there is no node", "12 spec.expect[8].usage.team: this file has no Team",
				"13 spec.expect[9].preemptions: a map: want a number, or a map of is, min and max",
			},
		},
		"settings": {
			"  until: 1h\n  config: {reserveAfter: -1s, maxReservations: 0, movesPerHour: -1}\n",
			[]string{"2 spec.config.reserveAfter: ", "2 spec.config.movesPerHour: "},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in, mistakes := Read([]byte(head + test.spec))
			if in != nil {
				t.Fatalf("got an input, want mistakes %q", test.want)
			}
			got := make([]string, 0, len(mistakes))
			for i, m := range mistakes {
				text := strings.TrimPrefix(strings.Replace(m.String(), ": ", " ", 1), "line ")
				line, rest, _ := strings.Cut(text, " ")
				text = relative(t, line) + " " + rest
				if i < len(test.want) && strings.HasPrefix(text, test.want[i]) {
					text = test.want[i]
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got[:min(len(got), max(len(test.want), 1))]); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s\nall:\n%s", diff, mistakes.Error())
			}
		})
	}
}

func TestReadRefusesWhatIsNoScenario(t *testing.T) {
	pool, _, _ := strings.Cut(head, "---")
	for text, want := range map[string]string{
		"":                            "line 1: no document of kind Scenario and apiVersion sim.berth.dev/v1alpha1",
		"apiVersion: v1\nkind: Pod\n": `line 2: kind: got apiVersion "v1" and kind "Pod"`,
		head + nodes + "---\n" + head[strings.LastIndex(head, "---")+4:] + nodes:     "a second Scenario",
		strings.Replace(head, "name: one,", "name: one, labels: {a: 1},", 1) + nodes: "metadata.labels[a]: got the number 1",
		strings.Replace(head, "kind: Team", "kind: Crew", 1) + nodes:                 `unknown kind "Crew"`,
		"---\n" + pool + "---\n" + head + nodes:                                      "TopologyDomain h100 stands in line 4 already",
	} {
		in, mistakes := Read([]byte(text))
		if in != nil || !strings.Contains(mistakes.Error(), want) {
			t.Errorf("got %v, want %s", mistakes, want)
		}
	}
}

// FuzzRead looks for files that make the reader panic or hang.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seed scenarios: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(head + nodes + "  events: [{at: 0s, submit: {template: one, namespace: a, name: \"x{i}\", count: 999999999}}]\n"))
	f.Add([]byte(head + "  until: 1h\n  nodes: [{name: \"x{i/0}\", count: 999999999}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, mistakes := Read(data)
		if (in == nil) == (len(mistakes) == 0) {
			t.Errorf("got input %v and mistakes %v, want one of them", in, mistakes)
		}
	})
}
