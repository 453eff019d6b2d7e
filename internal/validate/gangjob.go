package validate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
)

// maxRoles and maxGates bound what a gang lists.
const (
	maxRoles = 16
	maxGates = 16
)

// GangJob tells everything that is wrong with a gang.
func GangJob(g *v1alpha1.GangJob, world *World) field.ErrorList {
	spec := field.NewPath("spec")
	errs := gangMetadata(g)
	errs = append(errs, gangWords(g, spec)...)
	errs = append(errs, gangNotYet(g, spec)...)
	errs = append(errs, tier(g, world, spec.Child("tier"))...)
	errs = append(errs, roles(g, world, spec.Child("roles"))...)
	errs = append(errs, successPolicy(g, spec.Child("successPolicy", "roles"))...)
	errs = append(errs, placement(g, world)...)
	errs = append(errs, checkpoint(g, world, spec.Child("checkpoint"))...)
	errs = append(errs, runtime(g, spec.Child("runtime"))...)
	errs = append(errs, communication(g, spec.Child("communication"))...)
	errs = append(errs, gates(g.Spec.Gates, spec.Child("gates"))...)
	errs = append(errs, maxRuntime(g, spec.Child("maxRuntime"))...)
	return errs
}

// gangWords checks what the schema checks too.
func gangWords(g *v1alpha1.GangJob, spec *field.Path) field.ErrorList {
	errs := oneOf(spec.Child("lifecycle"), g.Spec.Lifecycle, v1alpha1.LifecycleBatch, v1alpha1.LifecycleService)
	errs = append(errs, oneOf(spec.Child("backfill"), g.Spec.Backfill, v1alpha1.BackfillNever, v1alpha1.BackfillEvictable)...)
	errs = append(errs, within(spec.Child("priority"), g.Spec.Priority, -1000, 1000)...)
	if n := g.Spec.Restart.MaxRestarts; n != nil {
		errs = append(errs, within(spec.Child("restart", "maxRestarts"), *n, 0, 1000)...)
	}
	if n := g.Spec.TTLSecondsAfterFinished; n != nil && *n < 0 {
		errs = append(errs, refuse(spec.Child("ttlSecondsAfterFinished"), *n, "must be a number of seconds from 0")...)
	}
	return errs
}

// gangNotYet refuses what the API has and nothing serves.
func gangNotYet(g *v1alpha1.GangJob, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	if g.Spec.Lifecycle == v1alpha1.LifecycleService {
		errs = append(errs, notYet(spec.Child("lifecycle"), g.Spec.Lifecycle, "Service is", "use Batch")...)
	}
	if ref := g.Spec.WorkloadRef; ref != nil {
		errs = append(errs, notYet(spec.Child("workloadRef"), ref.Kind+"/"+ref.Name, "adopting existing workloads is",
			"describe the pods in spec.roles")...)
	}
	if t := g.Spec.Topology; t != nil && t.Policy == v1alpha1.PolicySpread {
		errs = append(errs, notYet(spec.Child("topology", "policy"), t.Policy, "Spread is", "use Locality or Pack")...)
	}
	return errs
}

// tier wants one that the gang's team allows.
func tier(g *v1alpha1.GangJob, world *World, at *field.Path) field.ErrorList {
	if errs := oneOf(at, g.Spec.Tier, v1alpha1.Tiers()...); errs != nil {
		return errs
	}
	team := world.teamOf(g.Namespace)
	if team == nil || len(team.Spec.Tiers) == 0 || slices.Contains(team.Spec.Tiers, g.Spec.Tier) {
		return nil
	}
	return refuse(at, g.Spec.Tier, "team %s allows only %s; choose one of those, or leave it out for %s",
		team.Name, list(team.Spec.Tiers), defaults.Tier(team))
}

// successPolicy wants roles that are part of the slot.
func successPolicy(g *v1alpha1.GangJob, at *field.Path) field.ErrorList {
	policy := g.Spec.SuccessPolicy
	if policy == nil {
		return nil
	}
	if len(policy.Roles) == 0 {
		return field.ErrorList{field.Required(at, "name the roles whose success is the gang's, or leave out successPolicy for all of placement Slot")}
	}
	var slots []string
	for i := range g.Spec.Roles {
		if g.Spec.Roles[i].InSlot() {
			slots = append(slots, g.Spec.Roles[i].Name)
		}
	}
	var errs field.ErrorList
	for i, name := range policy.Roles {
		if !slices.Contains(slots, name) {
			errs = append(errs, refuse(at.Index(i), name, "must be a role with placement Slot: %s", list(slots))...)
		}
		if slices.Contains(policy.Roles[:i], name) {
			errs = append(errs, field.Duplicate(at.Index(i), name))
		}
	}
	return errs
}

// gates wants names as labels have them.
func gates(names []string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(names) > maxGates {
		errs = append(errs, field.TooMany(at, len(names), maxGates))
	}
	for i, name := range names {
		errs = append(errs, key(at.Index(i), name, "the name of a gate, such as example.com/data-staged")...)
		if slices.Contains(names[:i], name) {
			errs = append(errs, field.Duplicate(at.Index(i), name))
		}
	}
	return errs
}

func maxRuntime(g *v1alpha1.GangJob, at *field.Path) field.ErrorList {
	if g.Spec.MaxRuntime != nil && g.Spec.Lifecycle == v1alpha1.LifecycleService {
		return refuse(at, g.Spec.MaxRuntime.Duration.String(), "a Service never ends; leave maxRuntime out or set spec.lifecycle to Batch")
	}
	return positive(at, g.Spec.MaxRuntime, "leave it out for the quota's")
}

// communication wants a number of bytes.
func communication(g *v1alpha1.GangJob, at *field.Path) field.ErrorList {
	c := g.Spec.Communication
	if c == nil {
		return nil
	}
	errs := oneOf(at.Child("pattern"), c.Pattern, v1alpha1.PatternRing, v1alpha1.PatternAllToAll)
	if c.BytesPerStep.Sign() <= 0 {
		errs = append(errs, refuse(at.Child("bytesPerStep"), c.BytesPerStep.String(), "must be positive, such as 1Gi")...)
	}
	return errs
}

// runtime wants what a framework needs and nothing that it does not.
func runtime(g *v1alpha1.GangJob, at *field.Path) field.ErrorList {
	r := g.Spec.Runtime
	if r == nil {
		return nil
	}
	errs := oneOf(at.Child("framework"), r.Framework, v1alpha1.FrameworkNone, v1alpha1.FrameworkPyTorch, v1alpha1.FrameworkMPI,
		v1alpha1.FrameworkJAX)
	switch {
	case r.Framework == v1alpha1.FrameworkMPI && (r.MPI == nil || r.MPI.SSHSecretName == ""):
		errs = append(errs, field.Required(at.Child("mpi", "sshSecretName"),
			"name the Secret of type kubernetes.io/ssh-auth whose key the pods share, or choose another framework"))
	case r.Framework != v1alpha1.FrameworkMPI && r.MPI != nil:
		errs = append(errs, refuse(at.Child("mpi"), strings.TrimSpace(r.MPI.SSHSecretName),
			"belongs to framework MPI, this is %s; remove it or set spec.runtime.framework to MPI", r.Framework)...)
	}
	return errs
}
