package gang

import (
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Options say how children are made on this cluster.
type Options struct {
	// PodGroups: kube-scheduler binds the pods of a PodGroup all or none.
	PodGroups bool
}

// Job is the Job of a role in an attempt, suspended.
func Job(g *v1alpha1.GangJob, role *v1alpha1.Role, attempt int32, opts Options) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       g.Namespace,
			Name:            JobName(g.Name, role.Name, attempt),
			Labels:          Labels(g, role.Name, attempt),
			Annotations:     map[string]string{AnnotationAsk: Ask(g), AnnotationMade: Made(g, opts)},
			OwnerReferences: owner(g),
		},
		Spec: batchv1.JobSpec{
			Suspend:              new(true),
			CompletionMode:       ptr.To(batchv1.IndexedCompletion),
			Completions:          new(role.Replicas),
			Parallelism:          new(role.Replicas),
			BackoffLimit:         ptr.To[int32](0),
			PodReplacementPolicy: ptr.To(batchv1.Failed),
			PodFailurePolicy:     role.PodFailurePolicy.DeepCopy(),
			Template:             template(g, role, attempt, opts),
		},
	}
}

// template is the pod template of a role in an attempt.
func template(g *v1alpha1.GangJob, role *v1alpha1.Role, attempt int32, opts Options) corev1.PodTemplateSpec {
	t := *role.Template.DeepCopy()
	t.Labels = merged(t.Labels, Labels(g, role.Name, attempt))
	t.Annotations = merged(t.Annotations, map[string]string{v1alpha1.AnnotationAttempt: strconv.Itoa(int(attempt))})
	spec := &t.Spec
	if spec.RestartPolicy == "" {
		spec.RestartPolicy = corev1.RestartPolicyNever
	}
	spec.PriorityClassName = g.Spec.Tier.PriorityClassName()
	spec.Subdomain = ServiceName(g.Name)
	if opts.PodGroups {
		spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: new(PodGroupName(g, attempt))}
	}
	own := ptr.Deref(spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	if grace, ok := stopGrace(g); ok && grace > own {
		spec.TerminationGracePeriodSeconds = &grace
	}
	setRuntime(&t, g, role, attempt)
	return t
}

// stopGrace returns how many seconds pods need between SIGTERM and SIGKILL to save their work, if SIGTERM is what asks
// for it.
func stopGrace(g *v1alpha1.GangJob) (int64, bool) {
	c := g.Spec.Checkpoint
	if c == nil || c.HTTP != nil || c.Signal != v1alpha1.SignalTERM && c.Signal != "" {
		return 0, false
	}
	if c.GracePeriod == nil {
		return 0, false
	}
	return int64((c.GracePeriod.Duration + time.Second - 1) / time.Second), true
}

// Pods is how many pods a gang has in all.
func Pods(g *v1alpha1.GangJob) int32 {
	var n int32
	for i := range g.Spec.Roles {
		n += g.Spec.Roles[i].Replicas
	}
	return n
}
