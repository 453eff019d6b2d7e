package quota_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/controllers/quota"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
)

const (
	gpu       = "nvidia.com/gpu"
	poolLabel = "example.com/pool"
)

// interval is how far apart a status is written in these tests.
const interval = 200 * time.Millisecond

var (
	world devcontrol.World
	// seen is the state that the quotas' status is worked out from.
	seen *state.Cache
)

func TestMain(m *testing.M) {
	os.Exit(devcontrol.Main(m, &world, "../..", devcluster.Options{}, func(p devcontrol.Parts) []devcontrol.Controller {
		seen = p.State
		return []devcontrol.Controller{&quota.Reconciler{
			Client: p.Client, State: p.State, Clock: p.Clock, Synced: p.Synced, Pace: summary.NewPace(interval),
		}}
	}))
}

func newTeam(name string) *v1alpha1.Team {
	return &v1alpha1.Team{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.TeamSpec{Namespaces: []string{name}},
	}
}

func newPool(name string) *v1alpha1.TopologyDomain {
	return &v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.TopologyDomainSpec{NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: name}}},
	}
}

// nodes are count nodes of 8 GPUs in a pool.
func nodes(pool, name string, count int) devcluster.NodeGroup {
	return devcluster.NodeGroup{
		Count: count, Name: name + "-{i}", Labels: map[string]string{poolLabel: pool}, Capacity: map[corev1.ResourceName]string{gpu: "8"},
	}
}

// entry gives GPUs of a pool.
func entry(pool, guaranteed string) v1alpha1.ResourceQuota {
	return v1alpha1.ResourceQuota{Pool: pool, Resource: gpu, Guaranteed: resource.MustParse(guaranteed)}
}

func newQuota(team string, entries ...v1alpha1.ResourceQuota) *v1alpha1.Quota {
	return &v1alpha1.Quota{
		ObjectMeta: metav1.ObjectMeta{Name: team}, Spec: v1alpha1.QuotaSpec{Team: team, Resources: entries},
	}
}

// eventually waits until a condition of a quota has a status, reason and message.
func eventually(t *testing.T, name, kind string, status metav1.ConditionStatus, reason, message string) {
	t.Helper()
	world.Eventually(t, "condition "+kind+" of quota "+name+" is right", func(ctx context.Context) string {
		var q v1alpha1.Quota
		if err := world.Client.Get(ctx, client.ObjectKey{Name: name}, &q); err != nil {
			return err.Error()
		}
		got := meta.FindStatusCondition(q.Status.Conditions, kind)
		if got == nil {
			return "it is missing"
		}
		if got.ObservedGeneration != q.Generation || q.Status.ObservedGeneration != q.Generation {
			return "the status speaks of an older quota"
		}
		return cmp.Diff([]string{string(status), reason, message}, []string{string(got.Status), got.Reason, got.Message})
	})
}
