package validate

import (
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// maxEntries is how many entries a quota has.
const maxEntries = 64

// Quota tells everything that is wrong with a quota. Teams and pools that are not there are let pass, since manifests may
// be applied in any order; the quota's status tells of them.
func Quota(q *v1alpha1.Quota, world *World) field.ErrorList {
	spec := field.NewPath("spec")
	errs := label(spec.Child("team"), q.Spec.Team, "a team's name")
	if q.Name != q.Spec.Team {
		errs = append(errs, refuse(field.NewPath("metadata", "name"), q.Name,
			"must equal spec.team, which is %q, since a team has one quota, named like it; rename the quota or correct spec.team", q.Spec.Team)...)
	}
	errs = append(errs, entries(q, spec.Child("resources"))...)
	if d := q.Spec.MinRuntime; d != nil {
		at := spec.Child("minRuntime")
		if d.Duration < 0 {
			errs = append(errs, refuse(at, d.Duration.String(), "must not be negative; leave it out for no protection")...)
		}
		errs = append(errs, atMost(at, d.Duration, world.Limits.MaxMinRuntime.Duration, "maxMinRuntime")...)
	}
	return append(errs, positive(spec.Child("maxRuntime"), q.Spec.MaxRuntime, "leave it out for no bound")...)
}

// QuotaUpdate tells what is wrong with a change of a quota. Mistakes that it had before are let pass.
func QuotaUpdate(q, old *v1alpha1.Quota, world *World) field.ErrorList {
	return fresh(Quota(q, world), Quota(old, world))
}

func entries(q *v1alpha1.Quota, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n := len(q.Spec.Resources); n > maxEntries {
		errs = append(errs, field.TooMany(at, n, maxEntries))
	}
	type pair struct{ pool, resource string }
	seen := map[pair]bool{}
	for i := range q.Spec.Resources {
		entry, at := &q.Spec.Resources[i], at.Index(i)
		if p := (pair{entry.Pool, entry.Resource}); seen[p] {
			errs = append(errs, field.Duplicate(at, entry.Pool+"/"+entry.Resource))
		} else {
			seen[p] = true
		}
		errs = append(errs, label(at.Child("pool"), entry.Pool, "a pool's name")...)
		errs = append(errs, key(at.Child("resource"), entry.Resource, "the name of a resource, such as nvidia.com/gpu")...)
		errs = append(errs, amounts(entry, at)...)
		if len(entry.Tiers) > 0 {
			errs = append(errs, notYet(at.Child("tiers"), len(entry.Tiers), "limits per tier are", "leave tiers out")...)
		}
	}
	return errs
}

// amounts wants no amount negative, and no more lent than is guaranteed. A limit below the guarantee is let pass: it holds a
// team back for a while without touching its rights.
func amounts(entry *v1alpha1.ResourceQuota, at *field.Path) field.ErrorList {
	errs := notNegative(at.Child("guaranteed"), &entry.Guaranteed)
	errs = append(errs, notNegative(at.Child("limit"), entry.Limit)...)
	errs = append(errs, notNegative(at.Child("lendable"), entry.Lendable)...)
	if lendable := entry.Lendable; lendable != nil && lendable.Cmp(entry.Guaranteed) > 0 {
		errs = append(errs, refuse(at.Child("lendable"), lendable.String(),
			"must be at most guaranteed, which is %s, since only that can be lent; lower it or leave it out for all of it", entry.Guaranteed.String())...)
	}
	return errs
}

func notNegative(at *field.Path, q *resource.Quantity) field.ErrorList {
	if q == nil || q.Sign() >= 0 {
		return nil
	}
	return refuse(at, q.String(), "must not be negative")
}
