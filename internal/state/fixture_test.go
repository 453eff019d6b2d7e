package state

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

const gpu = "nvidia.com/gpu"

// world is a cache that is told what happens in a small cluster: one pool "p" of nodes of 8 GPUs, team "t" with namespace
// "ns".
type world struct {
	*Cache
	t       *testing.T
	clock   *testclock.FakePassiveClock
	version int
}

func newWorld(t *testing.T, nodes int) *world {
	t.Helper()
	clk := testclock.NewFakePassiveClock(time.Unix(1_000_000, 0))
	w := &world{Cache: New(engine.DefaultConfig(), clk), t: t, clock: clk}
	w.SetNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns"}})
	w.SetTeam(team("t", 1, "ns"))
	w.SetDomain(&v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec: v1alpha1.TopologyDomainSpec{
			NodeSelector: &metav1.LabelSelector{}, Levels: []v1alpha1.TopologyLevel{{Name: "rack", NodeLabel: "rack"}},
		},
	})
	w.SetQuota(&v1alpha1.Quota{ObjectMeta: metav1.ObjectMeta{Name: "t"}, Spec: v1alpha1.QuotaSpec{
		Team: "t", Resources: []v1alpha1.ResourceQuota{{Pool: "p", Resource: gpu, Guaranteed: resource.MustParse("64")}},
	}})
	for i := range nodes {
		w.SetNode(newNode(fmt.Sprintf("n%d", i)))
	}
	return w
}

func team(name string, age int, namespaces ...string) *v1alpha1.Team {
	return &v1alpha1.Team{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), CreationTimestamp: metav1.Unix(int64(1000-age), 0)},
		Spec:       v1alpha1.TeamSpec{Namespaces: namespaces},
	}
}

func newNode(name string) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"rack": "r0", corev1.LabelHostname: "host-" + name}},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{gpu: resource.MustParse("8"), corev1.ResourcePods: resource.MustParse("110")},
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

func (w *world) next() string {
	w.version++
	return strconv.Itoa(w.version)
}

// gangJob is a version of a gang of pods of 8 GPUs.
func (w *world) gangJob(name string, pods int) *v1alpha1.GangJob {
	return &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name), ResourceVersion: w.next()},
		Spec: v1alpha1.GangJobSpec{Pool: "p", Tier: v1alpha1.TierBatch, Roles: []v1alpha1.Role{{
			Name: "w", Replicas: int32(pods), Template: corev1.PodTemplateSpec{Spec: podSpec("8")},
		}}},
	}
}

func podSpec(gpus string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "c", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{gpu: resource.MustParse(gpus)}},
	}}}
}

// held returns a later version of a gang that holds a berth for an attempt on nodes.
func (w *world) held(g *v1alpha1.GangJob, state v1alpha1.BerthState, attempt int32, nodes ...string) *v1alpha1.GangJob {
	next := g.DeepCopy()
	next.ResourceVersion = w.next()
	next.Status.Attempts, next.Status.Team = attempt, "t"
	next.Status.Berth = &v1alpha1.BerthStatus{
		State: state, Attempt: attempt, PlannedAt: new(metav1.NewTime(w.clock.Now().Add(time.Duration(w.version) * time.Second))),
	}
	next.Status.Assignment = translate.Assignment(engine.Slot{Pool: "p", Roles: []engine.RoleSlot{{Role: "w", Nodes: nodes}}})
	return next
}

// childJob is the Job of a gang's role in an attempt.
func childJob(g *v1alpha1.GangJob, role string, attempt int, suspended bool) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: g.Namespace, Name: fmt.Sprintf("%s-%s-%d", g.Name, role, attempt),
			UID:             types.UID(fmt.Sprintf("job-%s-%s-%d", g.Name, role, attempt)),
			Labels:          map[string]string{v1alpha1.LabelRole: role, v1alpha1.LabelAttempt: strconv.Itoa(attempt)},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(g, v1alpha1.GroupVersion.WithKind("GangJob"))},
		},
		Spec: batchv1.JobSpec{Suspend: &suspended},
	}
}

// podOf is the pod of a Job's index on a node.
func podOf(j *batchv1.Job, index int, node string) *corev1.Pod {
	p := foreignPod(fmt.Sprintf("%s-%d", j.Name, index), node)
	p.Annotations = map[string]string{batchv1.JobCompletionIndexAnnotation: strconv.Itoa(index)}
	p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(j, batchv1.SchemeGroupVersion.WithKind("Job"))}
	return p
}

func foreignPod(name, node string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: podSpec("8")}
	p.Spec.NodeName = node
	p.Status.Phase = corev1.PodRunning
	return p
}

// free returns how many GPUs are idle in the pool.
func (w *world) free() int64 {
	w.t.Helper()
	domains, _ := w.DomainsOf("p")
	if len(domains) == 0 {
		w.t.Fatal("the pool is not known")
	}
	return domains[0].Free
}
