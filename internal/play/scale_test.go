package play

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/simulate"
)

func TestDurationsAreDivided(t *testing.T) {
	var policy config.Policy
	policy.Default()
	quota := &v1alpha1.Quota{Spec: v1alpha1.QuotaSpec{MinRuntime: lasting(time.Hour)}}
	spec := &v1alpha1.GangJobSpec{
		MaxRuntime: lasting(2 * time.Hour), Checkpoint: &v1alpha1.CheckpointSpec{},
		Roles: []v1alpha1.Role{{Name: "worker", Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}}}},
	}
	before := spec.DeepCopy()
	s := speed(60)
	manager, fast, job := s.manager(policy), s.quota(quota), s.job(spec)
	for name, test := range map[string]struct{ got, want time.Duration }{
		"reserveAfter":    {manager.ReserveAfter.Duration, 5 * time.Second},
		"assumedRuntime":  {manager.AssumedRuntime.Duration, 24 * time.Minute},
		"lostWorkCap":     {manager.LostWorkCap.Duration, time.Minute},
		"moveMaxLoss":     {manager.MoveMaxLoss.Duration, 15 * time.Second},
		"evictionBackOff": {manager.EvictionBackOff.Duration, time.Second},
		"minRuntime":      {fast.Spec.MinRuntime.Duration, time.Minute},
		"maxRuntime":      {job.MaxRuntime.Duration, 2 * time.Minute},
		"gracePeriod":     {job.Checkpoint.GracePeriod.Duration, time.Second},
	} {
		if test.got != test.want {
			t.Errorf("%s is %s, want %s", name, test.got, test.want)
		}
	}
	if fast.Spec.MaxRuntime != nil {
		t.Errorf("a quota without maxRuntime got %s", fast.Spec.MaxRuntime.Duration)
	}
	if got := job.Roles[0].Template.Annotations[devcluster.AnnotationStopAfter]; got != "never" {
		t.Errorf("pods stop after %q, want never: the player says when", got)
	}
	if diff := cmp.Diff(before, spec); diff != "" {
		t.Errorf("the scenario's own GangJob changed:\n%s", diff)
	}
}

func TestAProgramHasTheGraceOfItsCheckpointElseOfItsPods(t *testing.T) {
	spec := &v1alpha1.GangJobSpec{Roles: []v1alpha1.Role{{Name: "worker"}}}
	if p := programOf(spec, simulate.Program{}); p.grace != 30*time.Second || p.asked {
		t.Errorf("without checkpoint: grace %s, asked %t, want 30s, false", p.grace, p.asked)
	}
	spec.Checkpoint = &v1alpha1.CheckpointSpec{GracePeriod: lasting(90 * time.Second)}
	if p := programOf(spec, simulate.Program{}); p.grace != 90*time.Second || !p.asked {
		t.Errorf("with checkpoint: grace %s, asked %t, want 1m30s, true", p.grace, p.asked)
	}
}

func lasting(d time.Duration) *metav1.Duration { return &metav1.Duration{Duration: d} }
