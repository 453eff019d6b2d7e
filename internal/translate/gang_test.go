package translate

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

func duration(d time.Duration) *metav1.Duration { return &metav1.Duration{Duration: d} }

func template(limits ...string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container(nil, list(limits...))}}}
}

func TestGangIsWhatItAsksFor(t *testing.T) {
	floor := int32(4)
	job := v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "train"},
		Spec: v1alpha1.GangJobSpec{
			Tier: v1alpha1.TierProduction, Priority: 7, Pool: "h100", MaxRuntime: duration(time.Hour), Backfill: v1alpha1.BackfillEvictable,
			Topology:      &v1alpha1.TopologyRequest{Required: "rack", Preferred: "node", Policy: v1alpha1.PolicyPack},
			Communication: &v1alpha1.CommunicationSpec{BytesPerStep: resource.MustParse("1Gi"), Pattern: v1alpha1.PatternAllToAll},
			Checkpoint:    &v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1, GracePeriod: duration(90 * time.Second)},
			Roles: []v1alpha1.Role{
				{Name: "worker", Replicas: 8, MinReplicas: &floor, Groups: []v1alpha1.Group{{Size: 2, Level: "node"}}, Template: template("nvidia.com/gpu", "4")},
				{Name: "logger", Placement: v1alpha1.PlacementFree, Replicas: 1, Template: template("cpu", "1")},
			},
		},
	}
	team := &v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	want := engine.Gang{
		ID: "a/train", Team: "a", Tier: engine.Production, Priority: 7, Pool: "h100", Required: "rack", Preferred: "node",
		Policy: engine.Pack, Pattern: engine.AllToAll, BytesPerStep: 1 << 30, Checkpoints: true, Answers: true,
		Grace: int64(120 * time.Second), Evictable: true, MaxRuntime: int64(time.Hour),
		Roles: []engine.Role{{
			Name: "worker", Count: 8, Floor: 4, Groups: []engine.Group{{Size: 2, Level: "node"}},
			Pod: engine.Pod{
				Requests:    engine.Amounts{"nvidia.com/gpu": 4, "pods": 1, "cpu": 10, "memory": 32 << 20},
				Tolerations: []engine.Toleration{{Key: "berth.dev/pool", Operator: "Exists", Effect: "NoSchedule"}},
			},
		}},
	}
	if diff := cmp.Diff(want, Gang(&job, Owner{Team: team}, nil)); diff != "" {
		t.Errorf("gang (-want +got):\n%s", diff)
	}
}

func TestTierHasADefault(t *testing.T) {
	team := func(byDefault v1alpha1.Tier, tiers ...v1alpha1.Tier) *v1alpha1.Team {
		return &v1alpha1.Team{Spec: v1alpha1.TeamSpec{DefaultTier: byDefault, Tiers: tiers}}
	}
	tests := map[string]struct {
		own  v1alpha1.Tier
		team *v1alpha1.Team
		want v1alpha1.Tier
	}{
		"its own":                            {v1alpha1.TierInteractive, team(v1alpha1.TierProduction), v1alpha1.TierInteractive},
		"the team's":                         {"", team(v1alpha1.TierProduction), v1alpha1.TierProduction},
		"Batch":                              {"", team(""), v1alpha1.TierBatch},
		"Batch without a team":               {"", nil, v1alpha1.TierBatch},
		"Batch where the team allows it":     {"", team("", v1alpha1.TierProduction, v1alpha1.TierBatch), v1alpha1.TierBatch},
		"the first that the team does allow": {"", team("", v1alpha1.TierInteractive), v1alpha1.TierInteractive},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := TierOf(test.own, test.team); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestMaxRuntimeIsCappedByTheQuota(t *testing.T) {
	quota := &v1alpha1.Quota{Spec: v1alpha1.QuotaSpec{MaxRuntime: duration(2 * time.Hour)}}
	tests := map[string]struct {
		own   *metav1.Duration
		quota *v1alpha1.Quota
		want  time.Duration
	}{
		"none":                {nil, nil, 0},
		"its own":             {duration(time.Hour), nil, time.Hour},
		"the quota's default": {nil, quota, 2 * time.Hour},
		"below the cap":       {duration(time.Hour), quota, time.Hour},
		"above the cap":       {duration(3 * time.Hour), quota, 2 * time.Hour},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := MaxRuntime(&v1alpha1.GangJobSpec{MaxRuntime: test.own}, test.quota); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestGraceLastsUntilThePodsAreGone(t *testing.T) {
	roles := []v1alpha1.Role{{Name: "worker", Template: template("cpu", "1")}}
	checkpoint := func(signal v1alpha1.CheckpointSignal, grace time.Duration) *v1alpha1.CheckpointSpec {
		return &v1alpha1.CheckpointSpec{Signal: signal, GracePeriod: duration(grace)}
	}
	tests := map[string]struct {
		checkpoint *v1alpha1.CheckpointSpec
		want       time.Duration
	}{
		"no checkpoint: the pods' own":         {nil, 30 * time.Second},
		"by default a minute":                  {&v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalTERM}, time.Minute},
		"SIGTERM: within the pods' own":        {checkpoint(v1alpha1.SignalTERM, 10*time.Second), 30 * time.Second},
		"SIGUSR1: the pods terminate after it": {checkpoint(v1alpha1.SignalUSR1, 10*time.Second), 40 * time.Second},
		"http: likewise": {
			&v1alpha1.CheckpointSpec{HTTP: &v1alpha1.CheckpointHTTP{Port: 80}}, 90 * time.Second,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Grace(&v1alpha1.GangJobSpec{Roles: roles, Checkpoint: test.checkpoint}); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
