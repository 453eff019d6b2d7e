package validate

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// GangJobUpdate tells what is wrong with a change of a gang. Mistakes that the gang had before are let pass, so that a
// pool's deletion, say, keeps nobody from suspending the gangs that name it. Of one that is being deleted nothing but its
// submitter matters any more.
func GangJobUpdate(g, old *v1alpha1.GangJob, world *World) field.ErrorList {
	errs := submitter(g, old)
	if g.DeletionTimestamp != nil || equality.Semantic.DeepEqual(g.Spec, old.Spec) {
		return errs
	}
	errs = append(errs, frozen(g, old)...)
	if g.Spec.ManagedBy != old.Spec.ManagedBy {
		errs = append(errs, refuse(field.NewPath("spec", "managedBy"), g.Spec.ManagedBy, "cannot be changed from %s; create another gang",
			old.Spec.ManagedBy)...)
	}
	return append(errs, fresh(GangJob(g, world), GangJob(old, world))...)
}

// submitter keeps who created a gang.
func submitter(g, old *v1alpha1.GangJob) field.ErrorList {
	was, is := old.Annotations[v1alpha1.AnnotationSubmitter], g.Annotations[v1alpha1.AnnotationSubmitter]
	if was == is {
		return nil
	}
	return refuse(field.NewPath("metadata", "annotations").Key(v1alpha1.AnnotationSubmitter), is,
		"says who created the gang and cannot be changed; set it back to %q", was)
}

// frozen keeps what a berth rests on, while there is one.
func frozen(g, old *v1alpha1.GangJob) field.ErrorList {
	if old.Status.Berth == nil {
		return nil
	}
	spec := field.NewPath("spec")
	var errs field.ErrorList
	keep := func(at *field.Path, is, was any, value any) {
		if !equality.Semantic.DeepEqual(is, was) {
			errs = append(errs, refuse(at, value,
				"cannot be changed while the gang holds a berth (%s); set spec.suspend, change it when status.berth is gone, and set suspend back",
				old.Status.Berth.State)...)
		}
	}
	keep(spec.Child("roles"), g.Spec.Roles, old.Spec.Roles, "")
	keep(spec.Child("pool"), g.Spec.Pool, old.Spec.Pool, g.Spec.Pool)
	keep(spec.Child("topology"), g.Spec.Topology, old.Spec.Topology, "")
	return errs
}

// fresh are the mistakes that were not there before.
func fresh(now, before field.ErrorList) field.ErrorList {
	known := map[string]bool{}
	for _, err := range before {
		known[err.Error()] = true
	}
	var errs field.ErrorList
	for _, err := range now {
		if !known[err.Error()] {
			errs = append(errs, err)
		}
	}
	return errs
}
