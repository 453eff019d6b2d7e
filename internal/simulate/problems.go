package simulate

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/manifest"
	"github.com/berth-dev/berth/internal/validate"
)

// world is what validation needs to know besides an object: the other objects as they stand.
func (o objects) world(limits config.Limits) *validate.World {
	w := &validate.World{Limits: limits}
	var teams []*v1alpha1.Team
	for _, object := range o.inOrder() {
		switch typed := object.typed.(type) {
		case *v1alpha1.Team:
			teams = append(teams, typed)
			w.Teams = append(w.Teams, *typed)
		case *v1alpha1.TopologyDomain:
			if typed.IsPool() {
				w.Pools = append(w.Pools, *typed)
			}
		}
	}
	w.TeamOf = func(namespace string) *v1alpha1.Team {
		for _, t := range teams {
			if claims(t, namespace) {
				return t
			}
		}
		return nil
	}
	return w
}

// fill gives an object its defaults, as the API server does at its creation.
func fill(typed metav1.Object, w *validate.World) {
	switch typed := typed.(type) {
	case *v1alpha1.Team:
		defaults.Team(typed)
	case *v1alpha1.TopologyDomain:
		defaults.TopologyDomain(typed)
	case *v1alpha1.GangJob:
		defaults.GangJob(typed, w.TeamOf(typed.Namespace), w.Pools)
	}
}

// problems tells what the API server would refuse about an object, or, with an old version of it, about the change.
func problems(typed, old metav1.Object, w *validate.World) field.ErrorList {
	switch typed := typed.(type) {
	case *v1alpha1.Team:
		if old != nil {
			return validate.TeamUpdate(typed, old.(*v1alpha1.Team), w)
		}
		return validate.Team(typed, w)
	case *v1alpha1.Quota:
		if old != nil {
			return validate.QuotaUpdate(typed, old.(*v1alpha1.Quota), w)
		}
		return validate.Quota(typed, w)
	case *v1alpha1.TopologyDomain:
		if old != nil {
			return validate.TopologyDomainUpdate(typed, old.(*v1alpha1.TopologyDomain))
		}
		return validate.TopologyDomain(typed)
	case *v1alpha1.GangJob:
		if old != nil {
			return validate.GangJobUpdate(typed, old.(*v1alpha1.GangJob), w)
		}
		return validate.GangJob(typed, w)
	}
	return nil
}

// validate holds every manifest against the API's rules. GangJobs that are submitted are held against them then.
func (r *reader) validate() {
	for _, o := range r.objects.inOrder() {
		if !o.wrong && o.key.kind != "GangJob" {
			fill(o.typed, r.objects.world(r.limits))
		}
	}
	w := r.objects.world(r.limits)
	for _, o := range r.objects.inOrder() {
		if o.wrong || o.key.kind == "GangJob" {
			continue
		}
		for _, err := range problems(o.typed, nil, w) {
			r.wrongIn(o.doc, err.Field, "%s", err.ErrorBody())
			o.wrong = true
		}
	}
}

// validateUnused does so for GangJobs that no event submits.
func (r *reader) validateUnused() {
	w := r.objects.world(r.limits)
	for _, o := range r.objects.inOrder() {
		if o.key.kind != "GangJob" || o.wrong || o.used {
			continue
		}
		fill(o.typed, w)
		for _, err := range problems(o.typed, nil, w) {
			r.wrongIn(o.doc, err.Field, "%s", err.ErrorBody())
		}
	}
}

// refusedGang tells the mistakes of a GangJob that an event makes of a template: at the override that brings it in, at the
// event's name, or else at the template's own field.
func (r *reader) refusedGang(path string, e *eventSpec, o *object, errs field.ErrorList) {
	for _, err := range errs {
		if strings.HasPrefix(err.Field, "metadata.name") {
			r.wrong(path+".submit."+strings.TrimPrefix(err.Field, "metadata."), "%s", err.ErrorBody())
			continue
		}
		if key := overrideOf(e.Set, err.Field); key != "" {
			r.wrong(path+".set["+key+"]", "%s: %s", err.Field, err.ErrorBody())
			continue
		}
		r.wrongIn(o.doc, err.Field, "%s", err.ErrorBody())
	}
}

// overrideOf finds the override that a field comes from, or that it holds.
func overrideOf(set map[string]manifest.Raw, path string) string {
	at := dotted(path)
	for _, key := range sortedKeys(set) {
		if strings.HasPrefix(at+".", key+".") || strings.HasPrefix(key+".", at+".") {
			return key
		}
	}
	return ""
}

// dotted writes spec.roles[0].name as spec.roles.0.name.
func dotted(path string) string {
	return strings.ReplaceAll(strings.ReplaceAll(path, "[", "."), "]", "")
}
