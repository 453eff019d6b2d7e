package validate

import (
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
)

// roleName is how roles are called.
var roleName = regexp.MustCompile(`^[a-z][a-z0-9]{0,14}$`)

// maxGroups is how deep groups nest.
const maxGroups = 3

func roles(g *v1alpha1.GangJob, world *World, at *field.Path) field.ErrorList {
	if len(g.Spec.Roles) == 0 {
		return field.ErrorList{field.Required(at, "a gang has at least one role")}
	}
	var errs field.ErrorList
	if n := len(g.Spec.Roles); n > maxRoles {
		errs = append(errs, field.TooMany(at, n, maxRoles))
	}
	seen := map[string]bool{}
	slots := 0
	for i := range g.Spec.Roles {
		r, at := &g.Spec.Roles[i], at.Index(i)
		if seen[r.Name] {
			errs = append(errs, field.Duplicate(at.Child("name"), r.Name))
		}
		seen[r.Name] = true
		if r.InSlot() {
			slots++
		}
		errs = append(errs, role(r, at)...)
		errs = append(errs, template(g.Namespace, r, world, at.Child("template"))...)
	}
	if slots == 0 {
		errs = append(errs, refuse(at.Index(0).Child("placement"), g.Spec.Roles[0].Placement,
			"at least one role must have placement Slot, since the gang is placed by those")...)
	}
	return errs
}

// role checks a role without its pods.
func role(r *v1alpha1.Role, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !roleName.MatchString(r.Name) {
		errs = append(errs, refuse(at.Child("name"), r.Name, "must be 1 to 15 small letters and digits, a letter first (%s)", roleName)...)
	}
	errs = append(errs, oneOf(at.Child("placement"), r.Placement, v1alpha1.PlacementSlot, v1alpha1.PlacementFree)...)
	errs = append(errs, within(at.Child("replicas"), r.Replicas, 1, assignment.MaxPods)...)
	if r.Pool != "" {
		errs = append(errs, notYet(at.Child("pool"), r.Pool, "a pool per role is", "set spec.pool for all roles")...)
	}
	if n := r.MinReplicas; n != nil {
		switch {
		case *n < 1 || *n > r.Replicas:
			errs = append(errs, refuse(at.Child("minReplicas"), *n, "must be 1 to replicas, which is %d", r.Replicas)...)
		case *n != r.Replicas && !r.InSlot():
			errs = append(errs, refuse(at.Child("minReplicas"), *n, "only roles with placement Slot are elastic; leave it out")...)
		}
	}
	return append(errs, groups(r, at.Child("groups"))...)
}

// groups wants sizes that divide, each the one around it.
func groups(r *v1alpha1.Role, at *field.Path) field.ErrorList {
	if len(r.Groups) == 0 {
		return nil
	}
	if !r.InSlot() {
		return refuse(at, len(r.Groups), "only roles with placement Slot have groups; remove them or set placement to Slot")
	}
	var errs field.ErrorList
	if n := len(r.Groups); n > maxGroups {
		errs = append(errs, field.TooMany(at, n, maxGroups))
	}
	around, name := r.Replicas, "replicas"
	for i, group := range r.Groups {
		at := at.Index(i).Child("size")
		switch {
		case group.Size < 1:
			errs = append(errs, refuse(at, group.Size, "must be at least 1")...)
			return errs
		case around%group.Size != 0:
			errs = append(errs, refuse(at, group.Size, "must divide %s, which is %d, since groups are whole", name, around)...)
		case r.Floor()%group.Size != 0:
			errs = append(errs, refuse(at, group.Size, "must divide minReplicas, which is %d, since groups are whole", r.Floor())...)
		}
		around, name = group.Size, "the size of the group around it"
	}
	return errs
}

// slotRoles are the roles that are part of the slot, with their index.
func slotRoles(g *v1alpha1.GangJob) []int {
	var out []int
	for i := range g.Spec.Roles {
		if g.Spec.Roles[i].InSlot() {
			out = append(out, i)
		}
	}
	return slices.Clip(out)
}
