package translate

import (
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

const (
	// DefaultGracePeriod is checkpoint.gracePeriod where none is given.
	DefaultGracePeriod = 60 * time.Second
	// DefaultTerminationGrace is terminationGracePeriodSeconds where a pod gives none.
	DefaultTerminationGrace = corev1.DefaultTerminationGracePeriodSeconds * time.Second
)

// SidecarRequests is what the checkpoint sidecar asks for; it is part of the pods of gangs that [NeedsSidecar].
func SidecarRequests() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("10m"), corev1.ResourceMemory: resource.MustParse("32Mi"),
	}
}

// NeedsSidecar reports whether a gang is told to save its work by something inside its pods: by SIGUSR1, SIGUSR2 or http.
func NeedsSidecar(c *v1alpha1.CheckpointSpec) bool {
	return c != nil && (c.HTTP != nil || c.Signal == v1alpha1.SignalUSR1 || c.Signal == v1alpha1.SignalUSR2)
}

// Owner is whom a gang belongs to.
type Owner struct {
	// Team is the team of the gang's namespace; nil: there is none.
	Team *v1alpha1.Team
	// Quota is that team's; nil: it has none.
	Quota *v1alpha1.Quota
}

// Gang converts a GangJob: what it asks for, and, from its status, what the records say of it. nameOf gives the ID of the
// gang with a UID, empty where it is gone; it may be nil for a GangJob without status.
//
// While the gang holds a berth it counts for the team that it was admitted for, else for its owner.
func Gang(job *v1alpha1.GangJob, owner Owner, nameOf func(uid string) string) engine.Gang {
	g := asked(job, owner)
	record(&g, job, nameOf)
	if g.Berth != nil && job.Status.Team != "" {
		g.Team = job.Status.Team
	}
	return g
}

// GangID is the engine's name of a gang.
func GangID(namespace, name string) string { return namespace + "/" + name }

func asked(job *v1alpha1.GangJob, owner Owner) engine.Gang {
	spec := &job.Spec
	g := engine.Gang{
		ID: GangID(job.Namespace, job.Name), Tier: engineTier(TierOf(spec.Tier, owner.Team)), Priority: spec.Priority,
		Pool: spec.Pool, Checkpoints: spec.Checkpoint != nil, Answers: NeedsSidecar(spec.Checkpoint), Grace: int64(Grace(spec)),
		Evictable: spec.Backfill == v1alpha1.BackfillEvictable, MaxRuntime: int64(MaxRuntime(spec, owner.Quota)),
		Held: spec.Suspend || len(spec.Gates) > 0,
	}
	if owner.Team != nil {
		g.Team = owner.Team.Name
	}
	if t := spec.Topology; t != nil {
		g.Required, g.Preferred = t.Required, t.Preferred
		if t.Policy == v1alpha1.PolicyPack {
			g.Policy = engine.Pack
		}
	}
	if c := spec.Communication; c != nil {
		g.BytesPerStep = c.BytesPerStep.Value()
		if c.Pattern == v1alpha1.PatternAllToAll {
			g.Pattern = engine.AllToAll
		}
	}
	for i := range spec.Roles {
		if spec.Roles[i].InSlot() {
			g.Roles = append(g.Roles, role(&spec.Roles[i], g.Answers))
		}
	}
	return g
}

func role(r *v1alpha1.Role, sidecar bool) engine.Role {
	count := max(int(r.Replicas), 1)
	floor := count
	if r.MinReplicas != nil {
		floor = int(*r.MinReplicas)
	}
	pod := Pod(&r.Template.Spec)
	if sidecar {
		for name, amount := range Amounts(SidecarRequests()) {
			pod.Requests[name] += amount
		}
	}
	// Pools may be guarded by a taint of their own, which the pods of gangs always tolerate.
	pod.Tolerations = append(pod.Tolerations, engine.Toleration{
		Key: v1alpha1.LabelPool, Operator: string(corev1.TolerationOpExists), Effect: string(corev1.TaintEffectNoSchedule),
	})
	out := engine.Role{Name: r.Name, Count: count, Floor: floor, Pod: pod}
	for _, g := range r.Groups {
		out.Groups = append(out.Groups, engine.Group{Size: int(g.Size), Level: g.Level})
	}
	return out
}

// TierOf is the tier of a gang: its own, else its team's default, else Batch or, where the team does not allow that, the
// first tier it allows.
func TierOf(own v1alpha1.Tier, team *v1alpha1.Team) v1alpha1.Tier {
	switch {
	case own != "":
		return own
	case team == nil:
		return v1alpha1.TierBatch
	case team.Spec.DefaultTier != "":
		return team.Spec.DefaultTier
	case len(team.Spec.Tiers) > 0 && !slices.Contains(team.Spec.Tiers, v1alpha1.TierBatch):
		return team.Spec.Tiers[0]
	default:
		return v1alpha1.TierBatch
	}
}

func engineTier(t v1alpha1.Tier) engine.Tier {
	switch t {
	case v1alpha1.TierProduction:
		return engine.Production
	case v1alpha1.TierInteractive:
		return engine.Interactive
	default:
		return engine.Batch
	}
}

// MaxRuntime is for how long a gang may run: what it says itself, at most what its quota allows, which is the default as
// well. Zero: without bound.
func MaxRuntime(spec *v1alpha1.GangJobSpec, quota *v1alpha1.Quota) time.Duration {
	runtime := time.Duration(math.MaxInt64)
	if spec.MaxRuntime != nil {
		runtime = spec.MaxRuntime.Duration
	}
	if quota != nil && quota.Spec.MaxRuntime != nil {
		runtime = min(runtime, quota.Spec.MaxRuntime.Duration)
	}
	if runtime == math.MaxInt64 {
		return 0
	}
	return runtime
}

// Grace is the longest time from a gang's notice until its pods are gone. A program that is told by SIGTERM saves while its
// pods terminate; one that is told inside its pods saves first, and its pods terminate after that.
func Grace(spec *v1alpha1.GangJobSpec) time.Duration {
	pods := TerminationGrace(spec)
	c := spec.Checkpoint
	switch {
	case c == nil:
		return pods
	case NeedsSidecar(c):
		return GracePeriod(c) + pods
	default:
		return max(GracePeriod(c), pods)
	}
}

// GracePeriod is for how long a gang may save its work.
func GracePeriod(c *v1alpha1.CheckpointSpec) time.Duration {
	if c.GracePeriod == nil {
		return DefaultGracePeriod
	}
	return c.GracePeriod.Duration
}

// TerminationGrace is the longest terminationGracePeriodSeconds of a gang's Slot roles.
func TerminationGrace(spec *v1alpha1.GangJobSpec) time.Duration {
	var longest time.Duration
	for i := range spec.Roles {
		if !spec.Roles[i].InSlot() {
			continue
		}
		grace := DefaultTerminationGrace
		if s := spec.Roles[i].Template.Spec.TerminationGracePeriodSeconds; s != nil {
			grace = time.Duration(*s) * time.Second
		}
		longest = max(longest, grace)
	}
	return longest
}
