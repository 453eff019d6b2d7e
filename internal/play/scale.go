package play

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/simulate"
	"github.com/berth-dev/berth/internal/translate"
)

const (
	// batchWindow is for how long nothing must change before the manager decides, so that it sees the events of one instant
	// at once.
	batchWindow = 500 * time.Millisecond
	// podGrace is how long pods may take to stop on the cluster. When they do is for the player to say.
	podGrace = 120
	// gate keeps a gang from its team's order until all that is submitted with it is there.
	gate = "play.berth.dev/not-yet"
)

// speed is by how much time goes faster.
type speed float64

// divide is how long d lasts on the cluster, at least a millisecond.
func (s speed) divide(d time.Duration) time.Duration {
	if d <= 0 {
		return d
	}
	return max(time.Duration(float64(d)/float64(s)), time.Millisecond)
}

func (s speed) pointer(d *metav1.Duration) *metav1.Duration {
	if d == nil {
		return nil
	}
	return &metav1.Duration{Duration: s.divide(d.Duration)}
}

func (s speed) field(d metav1.Duration) metav1.Duration {
	return metav1.Duration{Duration: s.divide(d.Duration)}
}

// manager is the manager's configuration for a scenario.
func (s speed) manager(policy config.Policy) *config.Manager {
	policy.ReserveAfter, policy.AssumedRuntime = s.field(policy.ReserveAfter), s.field(policy.AssumedRuntime)
	policy.LostWorkCap, policy.MoveMaxLoss = s.field(policy.LostWorkCap), s.field(policy.MoveMaxLoss)
	policy.EvictionBackOff = s.field(policy.EvictionBackOff)
	m := &config.Manager{Policy: policy, BatchWindow: metav1.Duration{Duration: batchWindow}}
	m.Limits.MaxGracePeriod.Duration = 24 * time.Hour // of the simulator's time: it was held against the bound there
	m.Limits.MaxMinRuntime.Duration = 24 * time.Hour
	m.Status.SummaryInterval.Duration = time.Second
	m.Status.WaitingInterval.Duration = 2 * time.Second
	return m
}

func (s speed) quota(q *v1alpha1.Quota) *v1alpha1.Quota {
	q = q.DeepCopy()
	q.Spec.MinRuntime, q.Spec.MaxRuntime = s.pointer(q.Spec.MinRuntime), s.pointer(q.Spec.MaxRuntime)
	return q
}

// job is the spec of a GangJob with pods that do what the player says: they run until they are ended, and stop when they
// are told to and the player lets them.
func (s speed) job(spec *v1alpha1.GangJobSpec) v1alpha1.GangJobSpec {
	out := *spec.DeepCopy()
	out.MaxRuntime = s.pointer(out.MaxRuntime)
	if out.Checkpoint != nil {
		out.Checkpoint.GracePeriod = s.pointer(&metav1.Duration{Duration: translate.GracePeriod(out.Checkpoint)})
	}
	for i := range out.Roles {
		t := &out.Roles[i].Template
		if t.Annotations == nil {
			t.Annotations = map[string]string{}
		}
		t.Annotations[devcluster.AnnotationStopAfter] = "never"
		t.Spec.TerminationGracePeriodSeconds = ptr.To[int64](podGrace)
		for _, containers := range [][]corev1.Container{t.Spec.InitContainers, t.Spec.Containers} {
			for k := range containers {
				if containers[k].Image == "" {
					containers[k].Image = "none" // images are not looked at
				}
			}
		}
	}
	return out
}

// programOf is how the program of a gang behaves.
func programOf(spec *v1alpha1.GangJobSpec, p simulate.Program) *program {
	grace := translate.TerminationGrace(spec)
	if spec.Checkpoint != nil {
		grace = translate.GracePeriod(spec.Checkpoint)
	}
	return &program{Program: p, asked: spec.Checkpoint != nil, grace: grace}
}
