package validate

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/presets"
)

// asked is a level that a field of a gang asks for.
type asked struct {
	at    *field.Path
	level string
}

// placement checks pool and levels: that they exist, and that one pool has all of them.
func placement(g *v1alpha1.GangJob, world *World) field.ErrorList {
	spec := field.NewPath("spec")
	var errs field.ErrorList
	if t := g.Spec.Topology; t != nil {
		errs = append(errs, oneOf(spec.Child("topology", "policy"), t.Policy, v1alpha1.PolicyLocality, v1alpha1.PolicyPack, v1alpha1.PolicySpread)...)
	}
	if world.Offline {
		return errs
	}
	pools := world.candidates(g.Spec.Pool)
	if g.Spec.Pool != "" && len(pools) == 0 {
		return append(errs, refuse(spec.Child("pool"), g.Spec.Pool, "there is no such pool; the pools are: %s", list(world.poolNames()))...)
	}
	errs = append(errs, defaults.KueueTopology(g.DeepCopy(), world.Pools)...)
	levels := levelsAsked(g, spec)
	if unknown := unknownLevels(levels, pools); len(unknown) > 0 {
		return append(errs, unknown...)
	}
	if len(levels) == 0 || slices.ContainsFunc(pools, func(p *v1alpha1.TopologyDomain) bool { return hasAll(p, levels) }) {
		return append(errs, groupOrder(g, pools, spec.Child("roles"))...)
	}
	if len(pools) > 0 {
		errs = append(errs, refuse(levels[0].at, levels[0].level,
			"no single pool has all the levels that the gang asks for; name a pool in spec.pool and levels of that one")...)
	}
	return errs
}

// levelsAsked lists the levels that a gang asks for, except the node, which every pool has.
func levelsAsked(g *v1alpha1.GangJob, spec *field.Path) []asked {
	var levels []asked
	add := func(at *field.Path, level string) {
		if level != "" && level != v1alpha1.LevelNode {
			levels = append(levels, asked{at, level})
		}
	}
	if t := g.Spec.Topology; t != nil {
		add(spec.Child("topology", "required"), t.Required)
		add(spec.Child("topology", "preferred"), t.Preferred)
	}
	for i := range g.Spec.Roles {
		for j, group := range g.Spec.Roles[i].Groups {
			at := spec.Child("roles").Index(i).Child("groups").Index(j).Child("level")
			add(at, group.Level)
		}
	}
	return levels
}

// unknownLevels refuses levels that none of the pools has.
func unknownLevels(levels []asked, pools []*v1alpha1.TopologyDomain) field.ErrorList {
	var known []string
	for _, pool := range pools {
		for _, level := range presets.Levels(pool) {
			if !slices.Contains(known, level.Name) {
				known = append(known, level.Name)
			}
		}
	}
	known = append(known, v1alpha1.LevelNode)
	var errs field.ErrorList
	for _, a := range levels {
		switch {
		case a.level == v1alpha1.LevelNUMA:
			errs = append(errs, notYet(a.at, a.level, "level numa is", "use node")...)
		case !slices.Contains(known, a.level):
			errs = append(errs, refuse(a.at, a.level, "there is no such level; the levels are: %s", list(known))...)
		}
	}
	return errs
}

func hasAll(pool *v1alpha1.TopologyDomain, levels []asked) bool {
	return !slices.ContainsFunc(levels, func(a asked) bool { return depth(pool, a.level) < 0 })
}

// depth is the place of a level in a pool, the outermost being 0 and the node the last, or -1 if the pool lacks it.
func depth(pool *v1alpha1.TopologyDomain, level string) int {
	levels := presets.Levels(pool)
	if level == v1alpha1.LevelNode {
		return len(levels)
	}
	return slices.IndexFunc(levels, func(l v1alpha1.TopologyLevel) bool { return l.Name == level })
}

// groupOrder wants a role's groups outer to inner, in every pool that has their levels.
func groupOrder(g *v1alpha1.GangJob, pools []*v1alpha1.TopologyDomain, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range g.Spec.Roles {
		groups := g.Spec.Roles[i].Groups
		for j := 1; j < len(groups); j++ {
			inverted := func(p *v1alpha1.TopologyDomain) bool {
				outer, inner := depth(p, groups[j-1].Level), depth(p, groups[j].Level)
				return outer >= 0 && inner >= 0 && inner <= outer
			}
			if slices.ContainsFunc(pools, inverted) {
				errs = append(errs, refuse(at.Index(i).Child("groups").Index(j).Child("level"), groups[j].Level,
					"groups stand outer to inner, and %s does not lie inside %s; reorder them", groups[j].Level, groups[j-1].Level)...)
			}
		}
	}
	return errs
}
