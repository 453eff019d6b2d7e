package defaults

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/presets"
)

// KueueTopology reads Kueue's topology annotations on the pod templates of a gang without spec.topology as if
// spec.topology and roles[].groups had been written, and returns what it could not read. Kueue names levels by node
// label, Berth by name: the levels of the gang's pool, or of all pools where it names none, translate.
func KueueTopology(g *v1alpha1.GangJob, pools []v1alpha1.TopologyDomain) field.ErrorList {
	if g.Spec.Topology != nil {
		return nil
	}
	reader := kueueReader{levels: levelsByLabel(g.Spec.Pool, pools)}
	topology := &v1alpha1.TopologyRequest{}
	for i := range g.Spec.Roles {
		r := &g.Spec.Roles[i]
		if !r.InSlot() {
			continue
		}
		reader.at = field.NewPath("spec", "roles").Index(i).Child("template", "metadata", "annotations")
		reader.annotations = r.Template.Annotations
		reader.level(kueue.PodSetRequiredTopologyAnnotation, &topology.Required)
		reader.level(kueue.PodSetPreferredTopologyAnnotation, &topology.Preferred)
		if groups := reader.groups(); len(r.Groups) == 0 {
			r.Groups = groups
		}
	}
	if topology.Required != "" || topology.Preferred != "" {
		g.Spec.Topology = topology
	}
	return reader.errs
}

// kueueReader reads the annotations of one pod template after the other.
type kueueReader struct {
	levels      map[string]string
	annotations map[string]string
	at          *field.Path
	errs        field.ErrorList
}

func (k *kueueReader) refuse(key, detail string, args ...any) {
	k.errs = append(k.errs, field.Invalid(k.at.Key(key), k.annotations[key], fmt.Sprintf(detail, args...)))
}

// translate is the level that a node label tells.
func (k *kueueReader) translate(key, label string) (string, bool) {
	level, ok := k.levels[label]
	if !ok {
		k.refuse(key, "no pool the gang may run in has a level with node label %q; name the node label of one of the levels, or write spec.topology",
			label)
	}
	return level, ok
}

// level reads an annotation that names one level, which must be the same wherever it is.
func (k *kueueReader) level(key string, into *string) {
	label, ok := k.annotations[key]
	if !ok {
		return
	}
	level, ok := k.translate(key, label)
	switch {
	case !ok:
	case *into != "" && *into != level:
		k.refuse(key, "another role asks for level %s, but a gang is placed as a whole; name the same level on all roles, or write spec.topology", *into)
	default:
		*into = level
	}
}

// groups reads the slices that a pod set is cut into.
func (k *kueueReader) groups() []v1alpha1.Group {
	if layers, ok := k.annotations[kueue.PodSetSliceRequiredTopologyConstraintsAnnotation]; ok {
		return k.layers(layers)
	}
	const key, sizeKey = kueue.PodSetSliceRequiredTopologyAnnotation, kueue.PodSetSliceSizeAnnotation
	label, ok := k.annotations[key]
	if !ok {
		return nil
	}
	size, err := strconv.ParseInt(k.annotations[sizeKey], 10, 32)
	if err != nil || size < 1 {
		k.refuse(sizeKey, "must be the number of pods of a slice, from 1, since %s is given", key)
		return nil
	}
	level, ok := k.translate(key, label)
	if !ok {
		return nil
	}
	return []v1alpha1.Group{{Size: int32(size), Level: level}}
}

// layers reads slices of several levels, outer ones first.
func (k *kueueReader) layers(raw string) []v1alpha1.Group {
	const key = kueue.PodSetSliceRequiredTopologyConstraintsAnnotation
	var layers []kueue.PodsetSliceRequiredTopologyConstraint
	decoder := json.NewDecoder(strings.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&layers); err != nil {
		k.refuse(key, "must be a JSON list of {topology, size}: %v", err)
		return nil
	}
	var groups []v1alpha1.Group
	for _, layer := range layers {
		level, ok := k.translate(key, layer.Topology)
		if !ok {
			return nil
		}
		groups = append(groups, v1alpha1.Group{Size: layer.Size, Level: level})
	}
	return groups
}

// levelsByLabel translates node labels to the names of levels.
func levelsByLabel(pool string, pools []v1alpha1.TopologyDomain) map[string]string {
	levels := map[string]string{corev1.LabelHostname: v1alpha1.LevelNode}
	oldest := slices.SortedStableFunc(slices.Values(pools), func(a, b v1alpha1.TopologyDomain) int {
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	})
	for i := range oldest {
		if pool != "" && oldest[i].Name != pool || !oldest[i].IsPool() {
			continue
		}
		for _, level := range presets.Levels(&oldest[i]) {
			if _, known := levels[level.NodeLabel]; !known {
				levels[level.NodeLabel] = level.Name
			}
		}
	}
	return levels
}
