package validate_test

import (
	"testing"

	"github.com/berth-dev/berth/internal/validate"
)

// roles is a spec with one role called worker, which holds what is given, and a pod.
func roles(fields string) string {
	return "roles: [{name: worker, replicas: 8, template: {spec: {containers: [{name: main}]}}, " + fields + "}]"
}

func TestAGangIsRefused(t *testing.T) {
	tests := map[string]struct {
		spec, at, message string
	}{
		"that is a Service":                       {"lifecycle: Service", "spec.lifecycle", "not yet supported; use Batch"},
		"with a lifecycle that there is not":      {"lifecycle: Daemon", "spec.lifecycle", `supported values: "Batch", "Service"`},
		"that adopts a workload":                  {"workloadRef: {apiVersion: batch/v1, kind: Job, name: x}", "spec.workloadRef", "not yet supported"},
		"that spreads":                            {"topology: {policy: Spread}", "spec.topology.policy", "not yet supported"},
		"with a topology policy that is none":     {"topology: {policy: Tight}", "spec.topology.policy", "supported values"},
		"of a tier that there is not":             {"tier: Urgent", "spec.tier", "supported values"},
		"of a tier that its team does not have":   {"tier: Production", "spec.tier", "team research allows only Batch, Interactive"},
		"with too high a priority":                {"priority: 1001", "spec.priority", "must be -1000 to 1000"},
		"with too many restarts":                  {"restart: {maxRestarts: 1001}", "spec.restart.maxRestarts", "must be 0 to 1000"},
		"of a pool that there is not":             {"pool: a100", "spec.pool", "the pools are: h100, b200"},
		"with a required level that no pool has":  {"topology: {required: row}", "spec.topology.required", "the levels are: spine, rack, block, node"},
		"with a preferred level of another pool":  {"pool: h100, topology: {preferred: block}", "spec.topology.preferred", "the levels are: spine, rack, node"},
		"with levels of two pools":                {"topology: {required: spine, preferred: block}", "spec.topology.required", "no single pool has all the levels"},
		"with the level numa":                     {"topology: {required: numa}", "spec.topology.required", "not yet supported; use node"},
		"with a success role that there is not":   {"successPolicy: {roles: [launcher]}", "spec.successPolicy.roles[0]", "placement Slot: worker"},
		"with a success policy without roles":     {"successPolicy: {roles: []}", "spec.successPolicy.roles", "Required"},
		"with bytesPerStep of nothing":            {`communication: {bytesPerStep: "0"}`, "spec.communication.bytesPerStep", "must be positive, such as 1Gi"},
		"with a pattern that there is not":        {"communication: {bytesPerStep: 1Gi, pattern: Star}", "spec.communication.pattern", "supported values"},
		"of MPI without a Secret":                 {"runtime: {framework: MPI}", "spec.runtime.mpi.sshSecretName", "name the Secret"},
		"of PyTorch with MPI's Secret":            {"runtime: {framework: PyTorch, mpi: {sshSecretName: k}}", "spec.runtime.mpi", "belongs to framework MPI, this is PyTorch"},
		"with a gate that is no name":             {"gates: [data staged]", "spec.gates[0]", "such as example.com/data-staged"},
		"with a gate twice":                       {"gates: [a, a]", "spec.gates[1]", "Duplicate"},
		"that may run for no time":                {"maxRuntime: 0s", "spec.maxRuntime", "must be longer than 0s"},
		"that is a Service and ends":              {"lifecycle: Service, maxRuntime: 1h", "spec.maxRuntime", "a Service never ends"},
		"with a negative ttl":                     {"ttlSecondsAfterFinished: -1", "spec.ttlSecondsAfterFinished", "from 0"},
		"with a signal and a hook":                {"checkpoint: {signal: SIGUSR1, http: {port: 80}}", "spec.checkpoint.http", "exactly one of signal and http; the signal is SIGUSR1"},
		"with a signal that there is not":         {"checkpoint: {signal: SIGHUP}", "spec.checkpoint.signal", "supported values"},
		"with SIGTERM for rank 0":                 {"checkpoint: {target: Rank0}", "spec.checkpoint.target", "use target All, or SIGUSR1"},
		"with a hook without a slash":             {"checkpoint: {http: {port: 80, path: save}}", "spec.checkpoint.http.path", "must begin with a slash"},
		"with a hook on port 0":                   {"checkpoint: {http: {port: 0}}", "spec.checkpoint.http.port", "must be 1 to 65535"},
		"whose checkpoint container is not there": {"checkpoint: {container: trainer}", "spec.checkpoint.container", "its containers are: main"},
		"with no grace":                           {"checkpoint: {gracePeriod: 0s}", "spec.checkpoint.gracePeriod", "must be longer than 0s"},
		"with too long a grace":                   {"checkpoint: {gracePeriod: 14m31s}", "spec.checkpoint.gracePeriod", "must be at most 15m"},
		"without roles":                           {"roles: []", "spec.roles", "at least one role"},
		"with a role in capitals":                 {"roles: [{name: Worker, template: {spec: {containers: [{name: main}]}}}]", "spec.roles[0].name", "small letters and digits"},
		"with two roles of a name":                {"roles: [{name: worker, template: {spec: {containers: [{name: main}]}}}, {name: worker, template: {spec: {containers: [{name: main}]}}}]", "spec.roles[1].name", "Duplicate"},
		"with nothing in the slot":                {roles("placement: Free"), "spec.roles[0].placement", "at least one role must have placement Slot"},
		"with a placement that there is not":      {roles("placement: Anywhere"), "spec.roles[0].placement", "supported values"},
		"with a pool per role":                    {roles("pool: h100"), "spec.roles[0].pool", "not yet supported; set spec.pool"},
		"with a floor above its size":             {roles("minReplicas: 9"), "spec.roles[0].minReplicas", "must be 1 to replicas, which is 8"},
		"with groups that do not divide":          {roles("groups: [{size: 3, level: rack}]"), "spec.roles[0].groups[0].size", "must divide replicas, which is 8"},
		"with groups that do not divide a group":  {roles("groups: [{size: 4, level: spine}, {size: 3, level: rack}]"), "spec.roles[0].groups[1].size", "must divide the size of the group around it, which is 4"},
		"with a floor that breaks groups":         {roles("minReplicas: 6, groups: [{size: 4, level: rack}]"), "spec.roles[0].groups[0].size", "must divide minReplicas, which is 6"},
		"with groups inner to outer":              {roles("groups: [{size: 4, level: rack}, {size: 2, level: spine}]"), "spec.roles[0].groups[1].level", "spine does not lie inside rack"},
		"with groups of one level":                {roles("groups: [{size: 4, level: rack}, {size: 2, level: rack}]"), "spec.roles[0].groups[1].level", "reorder them"},
		"with groups of a level that is not":      {roles("groups: [{size: 4, level: row}]"), "spec.roles[0].groups[0].level", "the levels are"},
		"with groups of no pods":                  {roles("groups: [{size: 0, level: rack}]"), "spec.roles[0].groups[0].size", "must be at least 1"},
		"with groups four deep": {
			roles("groups: [{size: 8, level: spine}, {size: 4, level: rack}, {size: 2, level: node}, {size: 1, level: node}]"), "spec.roles[0].groups", "Too many",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantRefused(t, validate.GangJob(gang(t, test.spec), world()), test.at, test.message)
		})
	}
}

func TestAGangIsAccepted(t *testing.T) {
	tests := map[string]string{
		"that says little":              "",
		"that says much":                "tier: Interactive, priority: -5, pool: h100, topology: {required: spine, preferred: rack, policy: Pack}, maxRuntime: 24h, gates: [example.com/data-staged], backfill: Evictable",
		"of nodes":                      "topology: {required: node}",
		"of a level of one pool":        "topology: {required: block}",
		"with groups three deep":        roles("groups: [{size: 8, level: spine}, {size: 4, level: rack}, {size: 2, level: node}]"),
		"that is elastic, whole groups": roles("minReplicas: 4, groups: [{size: 4, level: rack}]"),
		"with a signal for rank 0":      "checkpoint: {signal: SIGUSR1, target: Rank0, container: main}",
		"with a hook":                   "checkpoint: {http: {port: 8080, path: /save}, target: Rank0}",
		"with the longest grace":        "checkpoint: {gracePeriod: 14m30s}",
		"of MPI":                        "runtime: {framework: MPI, mpi: {sshSecretName: keys}}",
		"that others look after":        "managedBy: example.com/dispatcher",
	}
	for name, spec := range tests {
		t.Run(name, func(t *testing.T) { wantAccepted(t, validate.GangJob(gang(t, spec), world())) })
	}
}

func TestOfflineNothingIsSaidOfPoolsAndLevels(t *testing.T) {
	g := gang(t, "pool: a100, topology: {required: row}")
	wantAccepted(t, validate.GangJob(g, &validate.World{Limits: world().Limits, Offline: true}))
}
