package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs a command line and returns its status and what it printed.
func command(t *testing.T, stdin string, args ...string) (status int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Main(args, strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

const scenario = `apiVersion: berth.dev/v1alpha1
kind: TopologyDomain
metadata: {name: pool}
spec: {nodeSelector: {matchLabels: {pool: pool}}, levels: [{name: rack, nodeLabel: rack}]}
---
apiVersion: berth.dev/v1alpha1
kind: Team
metadata: {name: a}
spec: {namespaces: [a]}
---
apiVersion: berth.dev/v1alpha1
kind: Quota
metadata: {name: a}
spec: {team: a, resources: [{pool: pool, resource: nvidia.com/gpu, guaranteed: "8"}]}
---
apiVersion: berth.dev/v1alpha1
kind: GangJob
metadata: {name: one, namespace: a}
spec: {roles: [{name: worker, template: {spec: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: "8"}}}]}}}]}
---
apiVersion: sim.berth.dev/v1alpha1
kind: Scenario
metadata: {name: one}
spec:
  nodes: [{name: n0, labels: {pool: pool, rack: r0}, capacity: {nvidia.com/gpu: "8"}}]
`

const timeline = `  events: [{at: 0s, submit: {template: one, namespace: a, name: x}, runs: 1h}]
  until: 2h
  expect: [{at: 0s, gangJob: a/x, phase: Running, nodes: [n0]}]
`

func TestSimulateSaysByItsStatusWhetherTheScenarioHolds(t *testing.T) {
	tests := map[string]struct {
		text   string
		status int
		// out and errOut are parts of what is printed.
		out, errOut string
	}{
		"it holds":        {scenario + timeline, 0, "a/x   Succeeded  8", ""},
		"it does not":     {scenario + strings.Replace(timeline, "phase: Running", "phase: Pending", 1), 1, "line 28: at 0s a/x phase Pending, on nodes n0: found phase Running on n0", ""},
		"it is not valid": {scenario + strings.Replace(timeline, "until", "untli", 1), 2, "", "-:27: spec.untli: unknown field"},
		"it is no YAML":   {"a: [", 2, "", "-:1: not YAML"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			status, out, errOut := command(t, test.text, "simulate", "-f", "-")
			if status != test.status || !strings.Contains(out, test.out) || !strings.Contains(errOut, test.errOut) {
				t.Errorf("got status %d, output\n%s\nerrors\n%s\nwant status %d, output with %q, errors with %q", status, out, errOut, test.status,
					test.out, test.errOut)
			}
		})
	}
}

func TestSimulateWritesEveryFormat(t *testing.T) {
	for format, want := range map[string]string{
		"table": "GANG", "json": `"scenario": "one"`, "yaml": "scenario: one", "html": "<!doctype html>",
	} {
		status, out, errOut := command(t, scenario+timeline, "simulate", "-f", "-", "-o", format, "--events")
		if status != 0 || !strings.Contains(out, want) || !strings.Contains(out, "Running") && format != "html" {
			t.Errorf("%s: got status %d, output\n%s\nerrors %s", format, status, out, errOut)
		}
		if format == "json" && !json.Valid([]byte(out)) {
			t.Errorf("not JSON:\n%s", out)
		}
		if format == "html" && strings.Contains(out, "http") {
			t.Error("the page is not self-contained")
		}
	}
}

const jobs = "job_id,num_gpu,submit_time,duration\n0,8,0,3600000\n1,16,60000,3600000\n2,1,120000,3600000\n"

func TestSimulatePlaysTraces(t *testing.T) {
	dir := t.TempDir()
	csv, cluster := filepath.Join(dir, "jobs.csv"), filepath.Join(dir, "cluster.yaml")
	for name, text := range map[string]string{csv: jobs, cluster: scenario} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		args   []string
		status int
		out    string
	}{
		"on the built-in cluster":   {[]string{"--trace", csv, "--nodes", "4"}, 0, "3 submitted, 3 succeeded"},
		"on a cluster of one node":  {[]string{"--trace", csv, "-f", cluster}, 0, "3 submitted, 2 succeeded, 0 failed, 1 waiting"},
		"policies side by side":     {[]string{"--trace", csv, "--policy", "berth,spread", "--seeds", "2"}, 0, "spread  2"},
		"as JSON":                   {[]string{"--trace", csv, "--policy", "berth,spread", "-o", "json"}, 0, `"policy": "spread"`},
		"fewer jobs":                {[]string{"--trace", csv, "--jobs", "1"}, 0, "1 submitted"},
		"an unknown policy":         {[]string{"--trace", csv, "--policy", "best"}, 2, `--policy: got "best"`},
		"a comparison as a page":    {[]string{"--trace", csv, "--policy", "berth,spread", "-o", "html"}, 2, "written as table, json or yaml"},
		"a share that is no share":  {[]string{"--trace", csv, "--production", "2"}, 2, "shares of tiers"},
		"options without a trace":   {[]string{"-f", cluster, "--load", "1"}, 2, "--load: go with --trace only"},
		"a trace that is none":      {[]string{"--trace", cluster}, 2, "is not a valid trace"},
		"a cluster with a timeline": {[]string{"--trace", csv, "-f", "-"}, 2, "spec.events: does not go with a trace"},
		"nothing":                   {nil, 2, "nothing to play"},
		"an unknown format":         {[]string{"-f", cluster, "-o", "pdf"}, 2, `--output: got "pdf"`},
		"a file that is not there":  {[]string{"-f", filepath.Join(dir, "none")}, 2, "no such file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			status, out, errOut := command(t, scenario+timeline, append([]string{"simulate"}, test.args...)...)
			if status != test.status || !strings.Contains(out+errOut, test.out) {
				t.Errorf("got status %d, want %d, output with %q:\n%s\n%s", status, test.status, test.out, out, errOut)
			}
		})
	}
}

func TestHelpVersionAndCompletion(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"simulate", "--help"}, 0, "kubectl berth simulate"},
		{[]string{"version"}, 0, "kubectl berth "},
		{[]string{"completion", "bash"}, 0, "bash completion"},
		{nil, 0, "Available Commands"},
		{[]string{"sail"}, 2, "unknown command"},
	} {
		status, out, errOut := command(t, "", test.args...)
		if status != test.status || !strings.Contains(out+errOut, test.want) {
			t.Errorf("%v: got status %d, want %d and %q:\n%s%s", test.args, status, test.status, test.want, out, errOut)
		}
	}
}
