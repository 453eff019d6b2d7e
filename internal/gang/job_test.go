package gang

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// training is a gang of 4 workers with 8 GPUs each, and a launcher.
func training(change ...func(*v1alpha1.GangJob)) *v1alpha1.GangJob {
	pod := func(gpus string) corev1.PodTemplateSpec {
		c := corev1.Container{Name: "main", Image: "train", Env: []corev1.EnvVar{{Name: "LR", Value: "1e-4"}}}
		if gpus != "" {
			c.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}
		}
		return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
	}
	g := &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "llama", UID: "u-1"},
		Spec: v1alpha1.GangJobSpec{
			Tier: v1alpha1.TierProduction,
			Roles: []v1alpha1.Role{
				{Name: "launcher", Replicas: 1, Template: pod("")},
				{Name: "worker", Replicas: 4, Template: pod("8")},
			},
		},
	}
	for _, f := range change {
		f(g)
	}
	return g
}

func worker(g *v1alpha1.GangJob) *v1alpha1.Role { return &g.Spec.Roles[1] }

func TestAJobIsMadeSuspendedAndNeverReplacesAPod(t *testing.T) {
	g := training()
	policy := &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{Action: batchv1.PodFailurePolicyActionFailJob}}}
	worker(g).PodFailurePolicy = policy
	j := Job(g, worker(g), 3, Options{})
	want := batchv1.JobSpec{
		Suspend: new(true), CompletionMode: ptr.To(batchv1.IndexedCompletion), Completions: ptr.To[int32](4),
		Parallelism: ptr.To[int32](4), BackoffLimit: ptr.To[int32](0), PodReplacementPolicy: ptr.To(batchv1.Failed),
		PodFailurePolicy: policy, Template: j.Spec.Template,
	}
	if diff := cmp.Diff(want, j.Spec); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if j.Name != "llama-worker-3" || !metav1.IsControlledBy(j, g) {
		t.Errorf("name %q, owners %+v", j.Name, j.OwnerReferences)
	}
	labels := map[string]string{
		"berth.dev/gang": "llama", "berth.dev/gang-uid": "u-1", "berth.dev/role": "worker", "berth.dev/attempt": "3",
	}
	if diff := cmp.Diff(labels, j.Labels); diff != "" {
		t.Errorf("labels of the Job (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(labels, j.Spec.Template.Labels); diff != "" {
		t.Errorf("labels of the pods (-want +got):\n%s", diff)
	}
	pod := j.Spec.Template
	if pod.Annotations["berth.dev/attempt"] != "3" || pod.Spec.PriorityClassName != "berth-production" ||
		pod.Spec.Subdomain != "llama" || pod.Spec.RestartPolicy != corev1.RestartPolicyNever || pod.Spec.SchedulingGroup != nil {
		t.Errorf("pod template: annotations %v, spec %+v", pod.Annotations, pod.Spec)
	}
}

func TestTheUsersTemplateIsLeftAsItIs(t *testing.T) {
	g := training(func(g *v1alpha1.GangJob) { g.Spec.Runtime = &v1alpha1.RuntimeSpec{Framework: v1alpha1.FrameworkMPI} })
	before := g.DeepCopy()
	Job(g, worker(g), 1, Options{PodGroups: true})
	if diff := cmp.Diff(before, g); diff != "" {
		t.Errorf("making a Job changed the GangJob (-before +after):\n%s", diff)
	}
}

func TestGraceCoversACheckpointOnSIGTERM(t *testing.T) {
	minutes := func(n int) *metav1.Duration { return &metav1.Duration{Duration: time.Duration(n) * time.Minute} }
	for name, test := range map[string]struct {
		checkpoint *v1alpha1.CheckpointSpec
		own        *int64
		want       *int64
	}{
		"none without a checkpoint":         {nil, nil, nil},
		"the checkpoint's by SIGTERM":       {&v1alpha1.CheckpointSpec{GracePeriod: minutes(5)}, nil, ptr.To[int64](300)},
		"the pod's own where it is longer":  {&v1alpha1.CheckpointSpec{GracePeriod: minutes(1)}, ptr.To[int64](90), ptr.To[int64](90)},
		"the pod's own by another signal":   {&v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1, GracePeriod: minutes(5)}, nil, nil},
		"the default where that is longer":  {&v1alpha1.CheckpointSpec{GracePeriod: &metav1.Duration{Duration: 10 * time.Second}}, nil, nil},
		"whole seconds, rounded up":         {&v1alpha1.CheckpointSpec{GracePeriod: &metav1.Duration{Duration: 60500 * time.Millisecond}}, nil, ptr.To[int64](61)},
		"the pod's own where http is asked": {&v1alpha1.CheckpointSpec{HTTP: &v1alpha1.CheckpointHTTP{Port: 80}, GracePeriod: minutes(5)}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := training(func(g *v1alpha1.GangJob) { g.Spec.Checkpoint = test.checkpoint })
			worker(g).Template.Spec.TerminationGracePeriodSeconds = test.own
			got := Job(g, worker(g), 1, Options{}).Spec.Template.Spec.TerminationGracePeriodSeconds
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("terminationGracePeriodSeconds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPodsOfAnAttemptShareAPodGroupWhereThereIsOne(t *testing.T) {
	g := training()
	pod := Job(g, worker(g), 2, Options{PodGroups: true}).Spec.Template.Spec
	group := PodGroup(g, 2)
	if pod.SchedulingGroup == nil || *pod.SchedulingGroup.PodGroupName != group.Name {
		t.Errorf("pods are in %+v, the group is called %s", pod.SchedulingGroup, group.Name)
	}
	if group.Spec.SchedulingPolicy.Gang.MinCount != 5 || group.Spec.PriorityClassName != pod.PriorityClassName ||
		group.Spec.SchedulingConstraints != nil || !metav1.IsControlledBy(group, g) {
		t.Errorf("group %+v", group)
	}
}

func TestAnElasticGangsPodGroupAsksForTheFloor(t *testing.T) {
	g := training(func(g *v1alpha1.GangJob) { worker(g).MinReplicas = new(int32(2)) })
	if got := PodGroup(g, 1).Spec.SchedulingPolicy.Gang.MinCount; got != 3 {
		t.Errorf("minCount %d, want 3: two workers and the launcher", got)
	}
	if PodGroupName(g, 1) == PodGroupName(training(), 1) {
		t.Error("PodGroups of different sizes have the same name")
	}
	again := training(func(g *v1alpha1.GangJob) { g.UID = "another" })
	if PodGroupName(again, 1) == PodGroupName(training(), 1) {
		t.Error("the PodGroup of a gang that was deleted is that of the next one of its name")
	}
}

func TestABudgetCoversAllPodsAndAServiceFindsThem(t *testing.T) {
	g := training()
	budget, service := Budget(g), Service(g)
	if budget.Spec.MinAvailable.IntValue() != 5 || budget.Spec.MinAvailable.Type != 0 {
		t.Errorf("minAvailable %v, want the integer 5", budget.Spec.MinAvailable)
	}
	if service.Spec.ClusterIP != "None" || !service.Spec.PublishNotReadyAddresses {
		t.Errorf("service %+v", service.Spec)
	}
	for i := range g.Spec.Roles {
		labels := Job(g, &g.Spec.Roles[i], 7, Options{}).Spec.Template.Labels
		for key, value := range service.Spec.Selector {
			if labels[key] != value {
				t.Errorf("the service's selector %s=%s does not hold for role %s", key, value, g.Spec.Roles[i].Name)
			}
		}
	}
}

func TestPrintsChangeWithWhatTheySpeakOf(t *testing.T) {
	base := training()
	changes := map[string]struct {
		change    func(*v1alpha1.GangJob)
		ask, made bool
	}{
		"replicas":   {func(g *v1alpha1.GangJob) { worker(g).Replicas = 5 }, true, true},
		"image":      {func(g *v1alpha1.GangJob) { worker(g).Template.Spec.Containers[0].Image = "other" }, true, true},
		"pool":       {func(g *v1alpha1.GangJob) { g.Spec.Pool = "h100" }, true, true},
		"tier":       {func(g *v1alpha1.GangJob) { g.Spec.Tier = v1alpha1.TierBatch }, true, true},
		"topology":   {func(g *v1alpha1.GangJob) { g.Spec.Topology = &v1alpha1.TopologyRequest{Required: "rack"} }, true, true},
		"runtime":    {func(g *v1alpha1.GangJob) { g.Spec.Runtime = &v1alpha1.RuntimeSpec{Framework: "JAX"} }, false, true},
		"priority":   {func(g *v1alpha1.GangJob) { g.Spec.Priority = 7 }, false, false},
		"suspend":    {func(g *v1alpha1.GangJob) { g.Spec.Suspend = true }, false, false},
		"maxRuntime": {func(g *v1alpha1.GangJob) { g.Spec.MaxRuntime = &metav1.Duration{Duration: time.Hour} }, false, false},
	}
	for name, c := range changes {
		g := training(c.change)
		if got := Ask(g) != Ask(base); got != c.ask {
			t.Errorf("%s: the ask changed: %t, want %t", name, got, c.ask)
		}
		if got := Made(g, Options{}) != Made(base, Options{}); got != c.made {
			t.Errorf("%s: what Jobs are made from changed: %t, want %t", name, got, c.made)
		}
	}
}
