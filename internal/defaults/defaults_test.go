package defaults_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
)

// read reads a manifest strictly.
func read[T any](t *testing.T, manifest string) *T {
	t.Helper()
	object := new(T)
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		t.Fatalf("reading %s: %v", manifest, err)
	}
	return object
}

func TestAGangGetsWhatItLeavesOut(t *testing.T) {
	tests := map[string]struct{ given, want string }{
		"all of it": {
			"{spec: {roles: [{name: w, template: {}}]}}",
			`{spec: {tier: Batch, lifecycle: Batch, backfill: Never, managedBy: berth.dev/gangjob, restart: {maxRestarts: 3},
				roles: [{name: w, placement: Slot, replicas: 1, template: {spec: {restartPolicy: Never}}}]}}`,
		},
		"of the parts that it names": {
			"{spec: {roles: [], topology: {required: rack}, communication: {bytesPerStep: 1Gi}, runtime: {}, checkpoint: {}}}",
			`{spec: {tier: Batch, lifecycle: Batch, backfill: Never, managedBy: berth.dev/gangjob, restart: {maxRestarts: 3}, roles: [],
				topology: {required: rack, policy: Locality}, communication: {bytesPerStep: 1Gi, pattern: Ring}, runtime: {framework: None},
				checkpoint: {signal: SIGTERM, target: All, gracePeriod: 60s}}}`,
		},
		"of a hook no signal": {
			"{spec: {roles: [], checkpoint: {http: {port: 80}}}}",
			`{spec: {tier: Batch, lifecycle: Batch, backfill: Never, managedBy: berth.dev/gangjob, restart: {maxRestarts: 3}, roles: [],
				checkpoint: {http: {port: 80, path: /}, target: All, gracePeriod: 60s}}}`,
		},
		"and nothing in place of what it says": {
			`{spec: {tier: Interactive, lifecycle: Service, backfill: Evictable, managedBy: x, restart: {maxRestarts: 0},
				roles: [{name: w, placement: Free, replicas: 4, template: {spec: {restartPolicy: OnFailure}}}],
				topology: {policy: Pack}, checkpoint: {signal: SIGUSR1, target: Rank0, gracePeriod: 5s}}}`,
			`{spec: {tier: Interactive, lifecycle: Service, backfill: Evictable, managedBy: x, restart: {maxRestarts: 0},
				roles: [{name: w, placement: Free, replicas: 4, template: {spec: {restartPolicy: OnFailure}}}],
				topology: {policy: Pack}, checkpoint: {signal: SIGUSR1, target: Rank0, gracePeriod: 5s}}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := read[v1alpha1.GangJob](t, test.given)
			for _, time := range []string{"once", "twice"} {
				defaults.GangJob(got, nil, nil)
				if diff := cmp.Diff(read[v1alpha1.GangJob](t, test.want), got); diff != "" {
					t.Errorf("filled %s (-want +got):\n%s", time, diff)
				}
			}
		})
	}
}

func TestTheTierIsTheTeamsOwn(t *testing.T) {
	tests := map[string]struct {
		team string
		want v1alpha1.Tier
	}{
		"its default":                               {"{spec: {defaultTier: Interactive}}", v1alpha1.TierInteractive},
		"Batch where it has none":                   {"{}", v1alpha1.TierBatch},
		"Batch where that is among its tiers":       {"{spec: {tiers: [Production, Batch]}}", v1alpha1.TierBatch},
		"the first of its tiers where Batch is not": {"{spec: {tiers: [Interactive, Production]}}", v1alpha1.TierInteractive},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			team := read[v1alpha1.Team](t, test.team)
			g := read[v1alpha1.GangJob](t, "{spec: {roles: []}}")
			defaults.GangJob(g, team, nil)
			defaults.Team(team)
			if g.Spec.Tier != test.want || team.Spec.DefaultTier != test.want {
				t.Errorf("the gang's tier is %s and the team's default %s, want %s", g.Spec.Tier, team.Spec.DefaultTier, test.want)
			}
		})
	}
}

func TestAPoolCountsGPUsAndADomainNothingOfItsOwn(t *testing.T) {
	pool := read[v1alpha1.TopologyDomain](t, "{spec: {nodeSelector: {}}}")
	defaults.TopologyDomain(pool)
	if diff := cmp.Diff(read[v1alpha1.TopologyDomain](t, `{spec: {nodeSelector: {}, accelerators: [{resource: nvidia.com/gpu, weight: "1"}]}}`), pool); diff != "" {
		t.Errorf("pool (-want +got):\n%s", diff)
	}
	domain := read[v1alpha1.TopologyDomain](t, "{spec: {pool: h100, level: rack, path: [r1]}}")
	defaults.TopologyDomain(domain)
	if diff := cmp.Diff(read[v1alpha1.TopologyDomain](t, "{spec: {pool: h100, level: rack, path: [r1]}}"), domain); diff != "" {
		t.Errorf("domain (-want +got):\n%s", diff)
	}
}
