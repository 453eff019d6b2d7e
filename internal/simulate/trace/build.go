package trace

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/simulate"
)

// Build puts the jobs of a trace on a cluster. The template gives what all gangs have in common, with its first role as the
// role of their pods; it may be nil.
func Build(cluster *simulate.Input, template *v1alpha1.GangJob, jobs []Job, o Options) (*simulate.Input, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Jobs > 0 && o.Jobs < len(jobs) {
		jobs = jobs[:o.Jobs]
	}
	b, err := newBuilder(cluster, template, o)
	if err != nil {
		return nil, err
	}
	stretch := b.stretch(jobs)
	in := *cluster
	in.Name, in.Events = "trace", make([]simulate.Event, 0, len(jobs))
	in.Description = fmt.Sprintf("%d jobs on %d accelerators, seed %d", len(jobs), b.capacity, o.Seed)
	for i, job := range jobs {
		at := time.Duration(float64(job.Submitted) * stretch)
		in.Events = append(in.Events, simulate.Event{At: at, Action: b.submission(i, job)})
		in.Measure = max(in.Measure, at)
	}
	return &in, nil
}

// builder makes gangs of jobs.
type builder struct {
	o         Options
	chance    *rand.Rand
	template  *v1alpha1.GangJobSpec
	resource  string
	perNode   int64
	capacity  int64
	teams     []string // namespaces of teams, one each
	cumulated []float64
}

func newBuilder(cluster *simulate.Input, template *v1alpha1.GangJob, o Options) (*builder, error) {
	b := &builder{o: o, chance: rand.New(rand.NewPCG(o.Seed, 0))}
	if len(cluster.Pools) == 0 {
		return nil, errors.New("the cluster has no pool")
	}
	b.template = defaultTemplate(cluster.Pools[0].Levels)
	if template != nil {
		b.template = &template.Spec
	}
	b.resource = cluster.Pools[0].Accelerators[0].Resource
	for _, n := range cluster.Nodes {
		b.capacity += n.Allocatable[b.resource]
		b.perNode = max(b.perNode, n.Allocatable[b.resource])
	}
	if b.perNode == 0 {
		return nil, fmt.Errorf("no node of the cluster has any %s, which pool %s counts", b.resource, cluster.Pools[0].Name)
	}
	sum := 0.0
	for _, t := range cluster.Teams {
		if len(t.Spec.Namespaces) > 0 {
			b.teams = append(b.teams, t.Spec.Namespaces[0])
			sum += 1 / float64(len(b.teams)) // teams ask for unlike shares: the second for half as much as the first
			b.cumulated = append(b.cumulated, sum)
		}
	}
	if len(b.teams) == 0 {
		return nil, errors.New("the cluster has no team with a namespace")
	}
	return b, nil
}

// defaultTemplate answers notices, exchanges a gibibyte a step in a ring, and prefers one domain of the innermost of the
// pool's levels, as those do who train over several nodes.
func defaultTemplate(levels []engine.Level) *v1alpha1.GangJobSpec {
	spec := &v1alpha1.GangJobSpec{
		Checkpoint:    &v1alpha1.CheckpointSpec{Signal: v1alpha1.SignalUSR1},
		Communication: &v1alpha1.CommunicationSpec{BytesPerStep: resource.MustParse("1Gi")},
		Roles: []v1alpha1.Role{{
			Name:     "worker",
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "job"}}}},
		}},
	}
	if len(levels) > 0 {
		spec.Topology = &v1alpha1.TopologyRequest{Preferred: levels[len(levels)-1].Name}
	}
	return spec
}

// stretch is by how much submission times are to be multiplied to come to the load asked for.
func (b *builder) stretch(jobs []Job) float64 {
	var asked, span float64
	for _, job := range jobs {
		asked += float64(job.GPUs) * float64(job.Runs)
		span = max(span, float64(job.Submitted))
	}
	if b.o.Load == 0 || span == 0 {
		return 1
	}
	// A trace may be stretched over at most a century: what is longer does not fit the clock.
	return min(asked/(float64(b.capacity)*b.o.Load)/span, float64(100*365*24*time.Hour)/span)
}

// submission is the event of a job. What chance settles is drawn at once, in the order of the jobs; the gang is made when its
// time comes.
func (b *builder) submission(i int, job Job) simulate.Lazy {
	tier, namespace := b.tier(), b.team()
	return func() simulate.Submit { return b.submit(i, job, tier, namespace) }
}

// submit makes the gang of a job.
func (b *builder) submit(i int, job Job, tier v1alpha1.Tier, namespace string) simulate.Submit {
	spec := b.template.DeepCopy()
	spec.Tier = tier
	pods, gpus := int64(1), job.GPUs
	if gpus > b.perNode {
		pods, gpus = (gpus+b.perNode-1)/b.perNode, b.perNode
	}
	role := &spec.Roles[0]
	role.Replicas, role.MinReplicas = int32(pods), nil
	container := &role.Template.Spec.Containers[0]
	if container.Resources.Limits == nil {
		container.Resources.Limits = corev1.ResourceList{}
	}
	delete(container.Resources.Requests, corev1.ResourceName(b.resource))
	container.Resources.Limits[corev1.ResourceName(b.resource)] = *resource.NewQuantity(gpus, resource.DecimalSI)
	if b.o.Required != "" && pods > 1 {
		topology := v1alpha1.TopologyRequest{}
		if spec.Topology != nil {
			topology = *spec.Topology
		}
		topology.Required = b.o.Required
		spec.Topology = &topology
	}
	if b.o.Estimate > 0 {
		bound := min(float64(job.Runs)*b.o.Estimate, math.MaxInt64/4)
		spec.MaxRuntime = &metav1.Duration{Duration: time.Duration(bound)}
	}
	return simulate.Submit{
		Job: &simulate.Job{Spec: spec}, Namespace: namespace, Names: []string{fmt.Sprintf("j%06d", i)},
		Program: simulate.Program{Runs: job.Runs, Every: b.o.CheckpointEvery, Saves: true, Save: b.o.Save},
	}
}

func (b *builder) tier() v1alpha1.Tier {
	switch x := b.chance.Float64(); {
	case x < b.o.Production:
		return v1alpha1.TierProduction
	case x < b.o.Production+b.o.Interactive:
		return v1alpha1.TierInteractive
	default:
		return v1alpha1.TierBatch
	}
}

func (b *builder) team() string {
	x := b.chance.Float64() * b.cumulated[len(b.cumulated)-1]
	for i, sum := range b.cumulated {
		if x < sum {
			return b.teams[i]
		}
	}
	return b.teams[len(b.teams)-1]
}
