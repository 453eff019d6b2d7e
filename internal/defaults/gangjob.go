package defaults

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// What a gang has that says nothing else.
const (
	MaxRestarts = 3
	GracePeriod = 60 * time.Second
)

// GangJob fills a gang of the given team, nil where its namespace has none. The pools are all there are; they tell which
// level a node label of Kueue's annotations means.
func GangJob(g *v1alpha1.GangJob, team *v1alpha1.Team, pools []v1alpha1.TopologyDomain) {
	spec := &g.Spec
	or(&spec.Tier, Tier(team))
	or(&spec.Lifecycle, v1alpha1.LifecycleBatch)
	or(&spec.Backfill, v1alpha1.BackfillNever)
	or(&spec.ManagedBy, v1alpha1.ManagedByGangJob)
	if spec.Restart.MaxRestarts == nil {
		spec.Restart.MaxRestarts = ptr.To[int32](MaxRestarts)
	}
	for i := range spec.Roles {
		role(&spec.Roles[i])
	}
	KueueTopology(g, pools) // what it cannot read, validation tells
	if spec.Topology != nil {
		or(&spec.Topology.Policy, v1alpha1.PolicyLocality)
	}
	if spec.Communication != nil {
		or(&spec.Communication.Pattern, v1alpha1.PatternRing)
	}
	if spec.Runtime != nil {
		or(&spec.Runtime.Framework, v1alpha1.FrameworkNone)
	}
	if spec.Checkpoint != nil {
		checkpoint(spec.Checkpoint)
	}
}

func role(r *v1alpha1.Role) {
	or(&r.Placement, v1alpha1.PlacementSlot)
	or(&r.Replicas, 1)
	or(&r.Template.Spec.RestartPolicy, corev1.RestartPolicyNever)
}

func checkpoint(c *v1alpha1.CheckpointSpec) {
	if c.HTTP == nil {
		or(&c.Signal, v1alpha1.SignalTERM)
	} else {
		or(&c.HTTP.Path, "/")
	}
	or(&c.Target, v1alpha1.TargetAll)
	if c.GracePeriod == nil {
		c.GracePeriod = &metav1.Duration{Duration: GracePeriod}
	}
}

// or sets a field that is empty.
func or[T comparable](field *T, value T) {
	var empty T
	if *field == empty {
		*field = value
	}
}
