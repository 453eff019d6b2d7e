package validate

import (
	"regexp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/presets"
)

// levelName is how levels are called.
var levelName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// maxLevels is how many levels a pool has between itself and its nodes.
const maxLevels = 8

// TopologyDomain tells everything that is wrong with a pool, or with a domain of one.
func TopologyDomain(d *v1alpha1.TopologyDomain) field.ErrorList {
	spec := field.NewPath("spec")
	errs := domainNotYet(d, spec)
	if !d.IsPool() {
		return append(errs, domain(d, spec)...)
	}
	errs = append(errs, label(field.NewPath("metadata", "name"), d.Name, "a pool's name")...)
	if d.Spec.Level != "" || len(d.Spec.Path) > 0 {
		errs = append(errs, refuse(spec.Child("level"), d.Spec.Level,
			"level and path are written by Berth, on the domains of a pool; leave them out to describe a pool")...)
	}
	if d.Spec.NodeSelector == nil {
		errs = append(errs, field.Required(spec.Child("nodeSelector"), "a pool needs to say which nodes it has, such as {matchLabels: {gpu: h100}}"))
	}
	errs = append(errs, selector(d.Spec.NodeSelector, spec.Child("nodeSelector"))...)
	errs = append(errs, accelerators(d.Spec.Accelerators, spec.Child("accelerators"))...)
	errs = append(errs, link(d.Spec.NodeLink, spec.Child("nodeLink"))...)
	return append(errs, levels(d, spec)...)
}

// TopologyDomainUpdate tells what is wrong with a change of a pool or domain. Mistakes that it had before are let pass.
func TopologyDomainUpdate(d, old *v1alpha1.TopologyDomain) field.ErrorList {
	return fresh(TopologyDomain(d), TopologyDomain(old))
}

func domainNotYet(d *v1alpha1.TopologyDomain, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n := d.Spec.MaxNodes; n != nil {
		errs = append(errs, notYet(spec.Child("maxNodes"), *n, "autoscaled pools are", "leave maxNodes out")...)
	}
	if n := len(d.Spec.Maintenance); n > 0 {
		errs = append(errs, notYet(spec.Child("maintenance"), n, "maintenance windows are",
			"leave maintenance out and set cordoned when the time comes")...)
	}
	return errs
}

// domain wants of a pool's domain its identity and nothing that belongs to pools.
func domain(d *v1alpha1.TopologyDomain, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	if d.Spec.Level == "" || len(d.Spec.Path) == 0 {
		errs = append(errs, field.Required(spec.Child("path"), "pool, level and path are set together, by Berth; leave pool out to describe a pool"))
	}
	if d.Spec.NodeSelector != nil || len(d.Spec.Levels) > 0 || d.Spec.Preset != "" || len(d.Spec.Accelerators) > 0 || d.Spec.NodeLink != nil {
		errs = append(errs, refuse(spec.Child("pool"), d.Spec.Pool,
			"a domain of a pool has no nodeSelector, levels, preset, accelerators or nodeLink; edit those on the pool %s", d.Spec.Pool)...)
	}
	return errs
}

func accelerators(list []v1alpha1.Accelerator, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, a := range list {
		at := at.Index(i)
		errs = append(errs, key(at.Child("resource"), a.Resource, "the name of a resource, such as nvidia.com/gpu")...)
		if !extended(corev1.ResourceName(a.Resource)) {
			errs = append(errs, refuse(at.Child("resource"), a.Resource, "must be an extended resource, such as nvidia.com/gpu")...)
		}
		if seen[a.Resource] {
			errs = append(errs, field.Duplicate(at.Child("resource"), a.Resource))
		}
		seen[a.Resource] = true
		if a.Weight.Sign() <= 0 {
			errs = append(errs, refuse(at.Child("weight"), a.Weight.String(),
				"must be positive: how many accelerators one piece counts for, such as 1, or 143m for a seventh")...)
		}
	}
	return errs
}

func levels(d *v1alpha1.TopologyDomain, spec *field.Path) field.ErrorList {
	at := spec.Child("levels")
	var errs field.ErrorList
	if preset := d.Spec.Preset; preset != "" {
		errs = append(errs, oneOf(spec.Child("preset"), preset, presets.All()...)...)
		if len(d.Spec.Levels) > 0 {
			errs = append(errs, refuse(spec.Child("preset"), preset, "stands for levels; give one of preset and levels, not both")...)
		}
	}
	if n := len(d.Spec.Levels); n > maxLevels {
		errs = append(errs, field.TooMany(at, n, maxLevels))
	}
	names, labels := map[string]bool{}, map[string]string{}
	for i := range d.Spec.Levels {
		l, at := &d.Spec.Levels[i], at.Index(i)
		errs = append(errs, level(l, at)...)
		if names[l.Name] {
			errs = append(errs, field.Duplicate(at.Child("name"), l.Name))
		}
		if other, taken := labels[l.NodeLabel]; taken {
			errs = append(errs, refuse(at.Child("nodeLabel"), l.NodeLabel, "tells level %s already; name another label or remove the level", other)...)
		}
		names[l.Name], labels[l.NodeLabel] = true, l.Name
	}
	return errs
}

// level checks one level by itself.
func level(l *v1alpha1.TopologyLevel, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case l.Name == v1alpha1.LevelNode || l.Name == v1alpha1.LevelNUMA || l.Name == v1alpha1.LevelPool:
		errs = append(errs, refuse(at.Child("name"), l.Name, "is a reserved level name; choose another")...)
	case !levelName.MatchString(l.Name):
		errs = append(errs, refuse(at.Child("name"), l.Name, "must be 1 to 31 small letters, digits and dashes, a letter first (%s)", levelName)...)
	}
	errs = append(errs, key(at.Child("nodeLabel"), l.NodeLabel, "the key of a node label, such as example.com/rack")...)
	if l.NodeLabel == corev1.LabelHostname {
		errs = append(errs, refuse(at.Child("nodeLabel"), l.NodeLabel, "tells the node, which is every pool's innermost level anyway; remove the level")...)
	}
	if l.Parent != "" {
		errs = append(errs, notYet(at.Child("parent"), l.Parent, "branching hierarchies are", "leave parent out and list levels outermost first")...)
	}
	return append(errs, link(l.Link, at.Child("link"))...)
}

// link wants figures above zero.
func link(l *v1alpha1.Link, at *field.Path) field.ErrorList {
	if l == nil {
		return nil
	}
	var errs field.ErrorList
	if l.Bandwidth.Sign() <= 0 {
		errs = append(errs, refuse(at.Child("bandwidth"), l.Bandwidth.String(), "must be positive, in bytes per second, such as 50G")...)
	}
	if l.Latency != nil && l.Latency.Duration < 0 {
		errs = append(errs, refuse(at.Child("latency"), l.Latency.Duration.String(), "must not be negative, such as 2us")...)
	}
	return errs
}
