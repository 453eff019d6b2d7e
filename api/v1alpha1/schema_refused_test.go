package v1alpha1_test

import (
	"strings"
	"testing"
)

const worker = `{name: worker, template: {spec: {containers: [{name: main, image: train}]}}}`

// gang is the manifest of a gang whose spec holds what is given, besides one role where it names none.
func gang(spec string) string {
	if !strings.HasPrefix(spec, "roles:") {
		spec = strings.TrimSuffix("roles: ["+worker+"], "+spec, ", ")
	}
	return "{kind: GangJob, metadata: {namespace: default}, spec: {" + spec + "}}"
}

// role is the manifest of a gang with one role that holds what is given.
func role(fields string) string {
	return gang("roles: [{name: worker, template: {spec: {containers: [{name: main, image: train}]}}, " + fields + "}]")
}

func pool(spec string) string {
	return "{kind: TopologyDomain, spec: {nodeSelector: {matchLabels: {gpu: h100}}, " + spec + "}}"
}

func TestTheSchemaRefuses(t *testing.T) {
	tests := map[string]struct {
		manifest string
		want     string
	}{
		"an unknown field": {gang("tire: Batch"), `unknown field "spec.tire"`},
		"an unknown field of a pod template": {
			gang("roles: [{name: worker, template: {spec: {containers: [{name: main, image: train, comand: [x]}]}}}]"), "comand",
		},
		"an unknown tier":                     {gang("tier: Urgent"), "spec.tier: Unsupported value"},
		"a gang without roles":                {gang("roles: []"), "spec.roles"},
		"a role's name in capitals":           {gang("roles: [{name: Worker, template: {spec: {containers: []}}}]"), "spec.roles[0].name"},
		"two roles of one name":               {gang("roles: [" + worker + "," + worker + "]"), "Duplicate value"},
		"a priority out of range":             {gang("priority: 1001"), "spec.priority"},
		"a Service":                           {gang("lifecycle: Service"), "spec.lifecycle: Service is not yet supported"},
		"maxRuntime of a Service":             {gang("lifecycle: Service, maxRuntime: 1h"), "a Service never ends"},
		"a duration that Go cannot read":      {gang("maxRuntime: 1d"), "spec.maxRuntime"},
		"an adopted workload":                 {gang("workloadRef: {apiVersion: batch/v1, kind: Job, name: x}"), "not yet supported"},
		"a success role that does not exist":  {gang("successPolicy: {roles: [launcher]}"), "spec.successPolicy.roles"},
		"only Free roles":                     {role("placement: Free"), "at least one role must have placement Slot"},
		"a pool per role":                     {role("pool: h100"), "a pool per role is not yet supported"},
		"more minReplicas than replicas":      {role("replicas: 4, minReplicas: 5"), "minReplicas: must be at most replicas"},
		"groups that do not divide replicas":  {role("replicas: 5, groups: [{size: 2, level: node}]"), "must divide replicas"},
		"groups that do not divide the floor": {role("replicas: 4, minReplicas: 3, groups: [{size: 2, level: node}]"), "must divide replicas"},
		"four levels of groups": {
			role("replicas: 8, groups: [{size: 8, level: a}, {size: 4, level: b}, {size: 2, level: c}, {size: 1, level: d}]"), "Too many",
		},
		"topology Spread":                    {gang("topology: {policy: Spread}"), "Spread is not yet supported"},
		"MPI without a Secret":               {gang("runtime: {framework: MPI}"), "mpi.sshSecretName"},
		"a Secret without MPI":               {gang("runtime: {framework: JAX, mpi: {sshSecretName: x}}"), "mpi.sshSecretName"},
		"both a signal and a hook":           {gang("checkpoint: {signal: SIGUSR1, http: {port: 80}}"), "exactly one of signal and http"},
		"Rank0 with SIGTERM":                 {gang("checkpoint: {signal: SIGTERM, target: Rank0}"), "Rank0 needs SIGUSR1"},
		"Rank0 without a signal":             {gang("checkpoint: {target: Rank0}"), "Rank0 needs SIGUSR1"},
		"a quota named unlike its team":      {"{kind: Quota, metadata: {name: a}, spec: {team: b}}", "metadata.name: must equal spec.team"},
		"a quota with limits per tier":       {"{kind: Quota, metadata: {name: c}, spec: {team: c, resources: [{pool: p, resource: r, tiers: [{tier: Batch, limit: 1}]}]}}", "not yet supported"},
		"two entries of one pool and kind":   {"{kind: Quota, metadata: {name: c}, spec: {team: c, resources: [{pool: p, resource: r}, {pool: p, resource: r}]}}", "Duplicate value"},
		"a team that is its own parent":      {"{kind: Team, metadata: {name: a}, spec: {parent: a}}", "cannot be its own parent"},
		"a team of weight 1001":              {"{kind: Team, metadata: {name: a}, spec: {weight: 1001}}", "spec.weight"},
		"a team's default tier beside tiers": {"{kind: Team, metadata: {name: a}, spec: {tiers: [Batch], defaultTier: Production}}", "must be one of spec.tiers"},
		"a team's tier named twice":          {"{kind: Team, metadata: {name: a}, spec: {tiers: [Batch, Batch]}}", "Duplicate value"},
		"a pool without selector":            {"{kind: TopologyDomain, spec: {}}", "a pool needs nodeSelector"},
		"a level called node":                {pool("levels: [{name: node, nodeLabel: x}]"), "reserved level names"},
		"a level with a parent":              {pool("levels: [{name: rack, nodeLabel: x, parent: spine}]"), "not yet supported"},
		"levels beside a preset":             {pool("preset: gke, levels: [{name: rack, nodeLabel: x}]"), "not both"},
		"an unknown preset":                  {pool("preset: azure"), "spec.preset: Unsupported value"},
		"an autoscaled pool":                 {pool("maxNodes: 8"), "not yet supported"},
		"maintenance windows":                {pool("maintenance: [{start: 2026-01-01T00:00:00Z, end: 2026-01-02T00:00:00Z}]"), "not yet supported"},
		"nine levels": {
			pool("levels: [{name: a, nodeLabel: a}, {name: b, nodeLabel: b}, {name: c, nodeLabel: c}, {name: d, nodeLabel: d}, " +
				"{name: e, nodeLabel: e}, {name: f, nodeLabel: f}, {name: g, nodeLabel: g}, {name: h, nodeLabel: h}, {name: i, nodeLabel: i}]"), "Too many",
		},
		"a domain with a selector": {pool("pool: h100, level: rack, path: [r1]"), "a domain of a pool"},
		"a domain without a path":  {"{kind: TopologyDomain, spec: {pool: h100, level: rack}}", "set together"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := create(t, test.manifest)
			if err == nil {
				t.Fatalf("the API server accepted %s", test.manifest)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("the message is %q and does not contain %q", err, test.want)
			}
		})
	}
}
