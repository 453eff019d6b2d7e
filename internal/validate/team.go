package validate

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// maxNamespaces is how many namespaces a team lists.
const maxNamespaces = 256

// Team tells everything that is wrong with a team.
func Team(t *v1alpha1.Team, world *World) field.ErrorList {
	spec := field.NewPath("spec")
	errs := label(field.NewPath("metadata", "name"), t.Name, "a team's name")
	errs = append(errs, within(spec.Child("weight"), t.Spec.Weight, 1, 1000)...)
	errs = append(errs, oneOf(spec.Child("stopPolicy"), t.Spec.StopPolicy, v1alpha1.StopNone, v1alpha1.StopHold, v1alpha1.StopDrain)...)
	errs = append(errs, teamTiers(t, spec)...)
	errs = append(errs, namespaces(t.Spec.Namespaces, spec.Child("namespaces"))...)
	errs = append(errs, selector(t.Spec.NamespaceSelector, spec.Child("namespaceSelector"))...)
	return append(errs, parents(t, world, spec.Child("parent"))...)
}

// TeamUpdate tells what is wrong with a change of a team. Mistakes that it had before are let pass.
func TeamUpdate(t, old *v1alpha1.Team, world *World) field.ErrorList {
	return fresh(Team(t, world), Team(old, world))
}

func teamTiers(t *v1alpha1.Team, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := spec.Child("tiers")
	for i, tier := range t.Spec.Tiers {
		errs = append(errs, oneOf(at.Index(i), tier, v1alpha1.Tiers()...)...)
		if slices.Contains(t.Spec.Tiers[:i], tier) {
			errs = append(errs, field.Duplicate(at.Index(i), tier))
		}
	}
	allowed := t.Spec.Tiers
	if len(allowed) == 0 {
		allowed = v1alpha1.Tiers()
	}
	if t.Spec.DefaultTier != "" && !slices.Contains(allowed, t.Spec.DefaultTier) {
		errs = append(errs, refuse(spec.Child("defaultTier"), t.Spec.DefaultTier,
			"must be one of the team's tiers: %s; add it to spec.tiers or choose another", list(allowed))...)
	}
	return errs
}

func namespaces(names []string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(names) > maxNamespaces {
		errs = append(errs, field.TooMany(at, len(names), maxNamespaces))
	}
	for i, name := range names {
		errs = append(errs, label(at.Index(i), name, "a namespace's name")...)
		if slices.Contains(names[:i], name) {
			errs = append(errs, field.Duplicate(at.Index(i), name))
		}
	}
	return errs
}

func selector(s *metav1.LabelSelector, at *field.Path) field.ErrorList {
	return metav1validation.ValidateLabelSelector(s, metav1validation.LabelSelectorValidationOptions{}, at)
}

// parents refuses a parent whose own parents lead back to the team. A parent that is not there (yet) is let pass, since
// manifests may be applied in any order.
func parents(t *v1alpha1.Team, world *World, at *field.Path) field.ErrorList {
	parent := map[string]string{}
	for i := range world.Teams {
		parent[world.Teams[i].Name] = world.Teams[i].Spec.Parent
	}
	parent[t.Name] = t.Spec.Parent
	way := []string{t.Name}
	for name := t.Spec.Parent; name != ""; name = parent[name] {
		if name == t.Name {
			return refuse(at, t.Spec.Parent, "leads back to the team itself (%s); name a parent that is not below it, or none",
				strings.Join(append(way, name), " -> "))
		}
		if slices.Contains(way, name) {
			return nil // a circle that the team is not part of: not this object's mistake
		}
		way = append(way, name)
	}
	return nil
}
