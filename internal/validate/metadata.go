package validate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kueue "sigs.k8s.io/kueue/pkg/controller/constants"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/gang"
)

// lastAttempt is an attempt whose number is as long as one can get in names.
const lastAttempt = 9999

// generated is what the API server appends to metadata.generateName, and generatedBase how much of that it keeps.
const (
	generated     = "xxxxx"
	generatedBase = validation.DNS1123LabelMaxLength - len(generated)
)

// gangMetadata checks a gang's name and labels.
func gangMetadata(g *v1alpha1.GangJob) field.ErrorList {
	at, name := field.NewPath("metadata", "name"), g.Name
	if name == "" && g.GenerateName != "" {
		at, name = field.NewPath("metadata", "generateName"), g.GenerateName
		name = name[:min(len(name), generatedBase)] + generated
	}
	var errs field.ErrorList
	if problems := validation.IsDNS1035Label(name); len(problems) > 0 {
		errs = append(errs, refuse(at, name, "the gang's Service is called so: %s", strings.Join(problems, "; "))...)
	}
	for i := range g.Spec.Roles {
		r := &g.Spec.Roles[i]
		host := gang.JobName(name, r.Name, lastAttempt) + "-" + strconv.Itoa(int(max(r.Replicas, 1)-1))
		if over := len(host) - validation.DNS1123LabelMaxLength; over > 0 {
			errs = append(errs, refuse(at, name,
				"the host names of role %s, such as %s, would be %d characters too long (%d are allowed); shorten the gang's or the role's name",
				r.Name, host, over, validation.DNS1123LabelMaxLength)...)
		}
	}
	return append(errs, queueLabel(g.Labels, field.NewPath("metadata", "labels"))...)
}

// queueLabel refuses a second owner of when the gang starts.
func queueLabel(labels map[string]string, at *field.Path) field.ErrorList {
	if queue, ok := labels[kueue.QueueLabel]; ok {
		return refuse(at.Key(kueue.QueueLabel), queue, "Berth decides when a gang starts, Kueue must not as well; remove the label")
	}
	return nil
}

// ownKeys refuses labels or annotations that Berth sets itself.
func ownKeys(keys map[string]string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if strings.HasPrefix(name, v1alpha1.KeyPrefix) {
			errs = append(errs, refuse(at.Key(name), keys[name], "keys that begin with %s are set by Berth; remove it", v1alpha1.KeyPrefix)...)
		}
	}
	return errs
}
