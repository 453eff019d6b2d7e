package team_test

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
	"github.com/berth-dev/berth/controllers/team"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
	"github.com/berth-dev/berth/internal/summary"
)

const (
	gpu       = "nvidia.com/gpu"
	poolLabel = "example.com/pool"
)

// interval is how far apart a status is written in these tests.
const interval = 200 * time.Millisecond

var world devcontrol.World

func TestMain(m *testing.M) {
	os.Exit(devcontrol.Main(m, &world, "../..", devcluster.Options{}, func(p devcontrol.Parts) []devcontrol.Controller {
		return []devcontrol.Controller{&team.Reconciler{
			Client: p.Client, State: p.State, Clock: p.Clock, Synced: p.Synced, Pace: summary.NewPace(interval),
		}}
	}))
}

func newTeam(name string, change ...func(*v1alpha1.TeamSpec)) *v1alpha1.Team {
	t := &v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, f := range change {
		f(&t.Spec)
	}
	return t
}

// has names the namespaces of a team.
func has(namespaces ...string) func(*v1alpha1.TeamSpec) {
	return func(s *v1alpha1.TeamSpec) { s.Namespaces = namespaces }
}

func under(parent string) func(*v1alpha1.TeamSpec) {
	return func(s *v1alpha1.TeamSpec) { s.Parent = parent }
}

func newNamespace(name string, labels map[string]string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func guarantee(team, pool, amount string) *v1alpha1.Quota {
	return &v1alpha1.Quota{
		ObjectMeta: metav1.ObjectMeta{Name: team},
		Spec: v1alpha1.QuotaSpec{Team: team, Resources: []v1alpha1.ResourceQuota{
			{Pool: pool, Resource: gpu, Guaranteed: resource.MustParse(amount)},
		}},
	}
}

// eventuallyHas waits until a team has exactly these namespaces.
func eventuallyHas(t *testing.T, name string, namespaces ...string) {
	t.Helper()
	world.Eventually(t, "team "+name+" has its namespaces", func(ctx context.Context) string {
		var got v1alpha1.Team
		if err := world.Client.Get(ctx, client.ObjectKey{Name: name}, &got); err != nil {
			return err.Error()
		}
		if got.Status.ObservedGeneration != got.Generation {
			return "the status speaks of an older team"
		}
		return cmp.Diff(namespaces, got.Status.Namespaces)
	})
}

// eventually waits until a condition of a team has a status, reason and message.
func eventually(t *testing.T, name, kind string, status metav1.ConditionStatus, reason, message string) {
	t.Helper()
	world.Eventually(t, "condition "+kind+" of team "+name+" is right", func(ctx context.Context) string {
		var d v1alpha1.Team
		if err := world.Client.Get(ctx, client.ObjectKey{Name: name}, &d); err != nil {
			return err.Error()
		}
		got := meta.FindStatusCondition(d.Status.Conditions, kind)
		if got == nil {
			return "it is missing"
		}
		return cmp.Diff([]string{string(status), reason, message}, []string{string(got.Status), got.Reason, got.Message})
	})
}

// eventuallyUsage waits until a team's usage is reported so.
func eventuallyUsage(t *testing.T, name string, want []v1alpha1.ResourceUsage) {
	t.Helper()
	world.Eventually(t, "the usage of team "+name+" is right", func(ctx context.Context) string {
		var got v1alpha1.Team
		if err := world.Client.Get(ctx, client.ObjectKey{Name: name}, &got); err != nil {
			return err.Error()
		}
		return cmp.Diff(want, got.Status.Resources)
	})
}
