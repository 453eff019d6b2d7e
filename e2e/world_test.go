package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

const (
	gpu       = "nvidia.com/gpu"
	poolLabel = "e2e.example.com/pool"
	rackLabel = "e2e.example.com/rack"
)

// world is a part of the cluster that one test has to itself.
type world struct {
	t *testing.T
	// name is the name of the world's pool, and begins the names of everything else.
	name string
}

// newWorld makes a pool of racks x perRack nodes of 8 GPUs, called name, for a test that runs beside others.
func newWorld(t *testing.T, name string, racks, perRack int) *world {
	t.Helper()
	t.Parallel()
	return newWorldAlone(t, name, racks, perRack)
}

// newWorldAlone makes a pool for a test that has the whole cluster to itself.
func newWorldAlone(t *testing.T, name string, racks, perRack int) *world {
	t.Helper()
	w := &world{t: t, name: name}
	return w.another(name, racks, perRack)
}

// another makes a further pool for the same test.
func (w *world) another(name string, racks, perRack int) *world {
	w.t.Helper()
	w.must(cluster.AddNodes(w.ctx(time.Minute), devcluster.NodeGroup{
		Count:    racks * perRack,
		Name:     name + "-{i}",
		Labels:   map[string]string{poolLabel: name, rackLabel: fmt.Sprintf("r{i/%d}", perRack)},
		Capacity: map[corev1.ResourceName]string{gpu: "8"},
	}), "adding nodes")
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.t.Context()), time.Minute)
		defer cancel()
		if err := admin.DeleteAllOf(ctx, &corev1.Node{}, client.MatchingLabels{poolLabel: name}); err != nil {
			w.t.Errorf("deleting nodes: %v", err)
		}
	})
	w.create(&v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.TopologyDomainSpec{
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: name}},
			Levels:       []v1alpha1.TopologyLevel{{Name: "rack", NodeLabel: rackLabel}},
		},
	})
	return &world{t: w.t, name: name}
}

// team makes a namespace of the world, a team that has it, and the team's quota of the world's GPUs. A limit of 0 is none.
func (w *world) team(name string, guaranteed, limit int) string {
	w.t.Helper()
	full := w.name + "-" + name
	w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: full}})
	w.create(&v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: full}, Spec: v1alpha1.TeamSpec{Namespaces: []string{full}}})
	w.create(&v1alpha1.Quota{
		ObjectMeta: metav1.ObjectMeta{Name: full},
		Spec:       v1alpha1.QuotaSpec{Team: full, Resources: []v1alpha1.ResourceQuota{w.entitlement(guaranteed, limit)}},
	})
	return full
}

func (w *world) entitlement(guaranteed, limit int) v1alpha1.ResourceQuota {
	r := v1alpha1.ResourceQuota{Pool: w.name, Resource: gpu, Guaranteed: *resource.NewQuantity(int64(guaranteed), resource.DecimalSI)}
	if limit > 0 {
		r.Limit = resource.NewQuantity(int64(limit), resource.DecimalSI)
	}
	return r
}

// gang returns a GangJob of pods with so many GPUs each.
func (w *world) gang(namespace, name string, pods, gpus int, change ...func(*v1alpha1.GangJob)) *v1alpha1.GangJob {
	g := &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.GangJobSpec{
			Tier: v1alpha1.TierBatch, Pool: w.name,
			Roles: []v1alpha1.Role{{Name: "worker", Replicas: int32(pods), Template: podTemplate(gpus)}},
		},
	}
	for _, f := range change {
		f(g)
	}
	return g
}

func podTemplate(gpus int) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers: []corev1.Container{{
			Name: "main", Image: "registry.example.com/train",
			Resources: corev1.ResourceRequirements{
				Limits: corev1.ResourceList{gpu: *resource.NewQuantity(int64(gpus), resource.DecimalSI)},
			},
		}},
	}}
}

// behave makes the pods of all roles behave as an annotation of the development cluster says.
func behave(key, value string) func(*v1alpha1.GangJob) {
	return func(g *v1alpha1.GangJob) {
		for i := range g.Spec.Roles {
			t := &g.Spec.Roles[i].Template
			if t.Annotations == nil {
				t.Annotations = map[string]string{}
			}
			t.Annotations[key] = value
		}
	}
}

func runFor(d string) func(*v1alpha1.GangJob) { return behave(devcluster.AnnotationRunFor, d) }

func tier(t v1alpha1.Tier) func(*v1alpha1.GangJob) {
	return func(g *v1alpha1.GangJob) { g.Spec.Tier = t }
}

func requireRack(g *v1alpha1.GangJob) {
	g.Spec.Topology = &v1alpha1.TopologyRequest{Required: "rack"}
}

// inRack binds the pods of all roles to a rack.
func inRack(rack string) func(*v1alpha1.GangJob) {
	return func(g *v1alpha1.GangJob) {
		for i := range g.Spec.Roles {
			g.Spec.Roles[i].Template.Spec.NodeSelector = map[string]string{rackLabel: rack}
		}
	}
}

// annotate is a patch that sets an annotation.
func annotate(key, value string) client.Patch {
	return client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, key, value))
}

// limit changes the limit of a team's quota.
func (w *world) limit(team string, gpus int64) {
	w.t.Helper()
	w.editQuota(team, func(r *v1alpha1.ResourceQuota) { r.Limit = resource.NewQuantity(gpus, resource.DecimalSI) })
}

// guarantee changes what a team is guaranteed, and lifts its limit.
func (w *world) guarantee(team string, gpus int64) {
	w.t.Helper()
	w.editQuota(team, func(r *v1alpha1.ResourceQuota) {
		r.Guaranteed, r.Limit = *resource.NewQuantity(gpus, resource.DecimalSI), nil
	})
}

func (w *world) editQuota(team string, change func(*v1alpha1.ResourceQuota)) {
	w.t.Helper()
	q := &v1alpha1.Quota{}
	w.must(admin.Get(w.ctx(time.Minute), client.ObjectKey{Name: team}, q), "reading the quota")
	before := q.DeepCopy()
	change(&q.Spec.Resources[0])
	w.must(admin.Patch(w.ctx(time.Minute), q, client.MergeFrom(before)), "changing the quota of team %s", team)
}

// create creates an object, which is deleted at the end of the test.
func (w *world) create(o client.Object) {
	w.t.Helper()
	w.must(admin.Create(w.ctx(time.Minute), o), "creating %T %s", o, o.GetName())
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.t.Context()), time.Minute)
		defer cancel()
		if err := client.IgnoreNotFound(admin.Delete(ctx, o)); err != nil {
			w.t.Errorf("deleting %T %s: %v", o, o.GetName(), err)
		}
	})
}

// submit creates a GangJob and returns it.
func (w *world) submit(g *v1alpha1.GangJob) *v1alpha1.GangJob {
	w.t.Helper()
	w.create(g)
	return g
}

// ctx returns a context that ends with the test or after a while.
func (w *world) ctx(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(w.t.Context(), d)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *world) must(err error, what string, args ...any) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v", fmt.Sprintf(what, args...), err)
	}
}

// get reads a GangJob anew.
func (w *world) get(g *v1alpha1.GangJob) *v1alpha1.GangJob {
	w.t.Helper()
	out := &v1alpha1.GangJob{}
	w.must(admin.Get(w.ctx(time.Minute), client.ObjectKeyFromObject(g), out), "reading GangJob %s", g.Name)
	return out
}

// patience is how long a test waits for anything; on a loaded machine everything takes its time.
const patience = 150 * time.Second

// until waits until a GangJob is as it should be, and returns it. What it was like last is told if it never is.
func (w *world) until(g *v1alpha1.GangJob, what string, holds func(*v1alpha1.GangJob) bool) *v1alpha1.GangJob {
	w.t.Helper()
	var last *v1alpha1.GangJob
	w.wait(fmt.Sprintf("GangJob %s %s", g.Name, what), func(context.Context) bool {
		last = w.get(g)
		return holds(last)
	}, func() string {
		s := last.Status
		return fmt.Sprintf("phase %s, reason %s, message %q, pods %s, attempts %d, berth %+v", s.Phase, s.Reason, s.Message, s.ReadyPods,
			s.Attempts, s.Berth)
	})
	return last
}

func (w *world) phase(g *v1alpha1.GangJob, phase v1alpha1.Phase) *v1alpha1.GangJob {
	w.t.Helper()
	return w.until(g, "is "+string(phase), func(g *v1alpha1.GangJob) bool { return g.Status.Phase == phase })
}

func (w *world) pending(g *v1alpha1.GangJob, reason string) *v1alpha1.GangJob {
	w.t.Helper()
	return w.until(g, "waits with "+reason, func(g *v1alpha1.GangJob) bool {
		return g.Status.Phase == v1alpha1.PhasePending && g.Status.Reason == reason
	})
}

// wait waits until something holds.
func (w *world) wait(what string, holds func(context.Context) bool, found func() string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	err := cluster.WaitFor(ctx, what, func(ctx context.Context) (bool, error) { return holds(ctx), nil })
	if err != nil {
		w.t.Fatalf("%v; found %s", err, found())
	}
}

// pods returns the pods of a gang, by name.
func (w *world) pods(g *v1alpha1.GangJob) []corev1.Pod {
	w.t.Helper()
	var list corev1.PodList
	w.must(admin.List(w.ctx(time.Minute), &list, client.InNamespace(g.Namespace),
		client.MatchingLabels{v1alpha1.LabelGang: g.Name}), "listing pods")
	return list.Items
}

// jobs returns the Jobs of a gang.
func (w *world) jobs(g *v1alpha1.GangJob) []batchv1.Job {
	w.t.Helper()
	var list batchv1.JobList
	w.must(admin.List(w.ctx(time.Minute), &list, client.InNamespace(g.Namespace),
		client.MatchingLabels{v1alpha1.LabelGang: g.Name}), "listing Jobs")
	return list.Items
}

// rackOf returns the rack of a node of the world.
func (w *world) rackOf(node string) string {
	w.t.Helper()
	n := &corev1.Node{}
	w.must(admin.Get(w.ctx(time.Minute), client.ObjectKey{Name: node}, n), "reading node %s", node)
	return n.Labels[rackLabel]
}

// ours tells whether a node belongs to the world.
func (w *world) ours(node string) bool { return strings.HasPrefix(node, w.name+"-") }

// raw is a client for requests that no typed client makes.
func raw(w *world) *rest.RESTClient {
	w.t.Helper()
	cfg := cluster.Config()
	cfg.NegotiatedSerializer = clientgoscheme.Codecs.WithoutConversion()
	c, err := rest.UnversionedRESTClientFor(cfg)
	w.must(err, "making a client")
	return c
}
