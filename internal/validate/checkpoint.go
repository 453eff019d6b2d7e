package validate

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// checkpoint checks how a gang is told to save its work.
func checkpoint(g *v1alpha1.GangJob, world *World, at *field.Path) field.ErrorList {
	c := g.Spec.Checkpoint
	if c == nil {
		return nil
	}
	errs := hook(c, at)
	errs = append(errs, oneOf(at.Child("target"), c.Target, v1alpha1.TargetAll, v1alpha1.TargetRank0)...)
	if c.Target == v1alpha1.TargetRank0 && c.Signal == v1alpha1.SignalTERM {
		errs = append(errs, refuse(at.Child("target"), c.Target,
			"SIGTERM stops every rank and cannot go to rank 0 alone; use target All, or SIGUSR1, SIGUSR2 or http")...)
	}
	errs = append(errs, toldContainer(g, at.Child("container"))...)
	return append(errs, grace(g, world, at.Child("gracePeriod"))...)
}

// hook wants exactly one of signal and http.
func hook(c *v1alpha1.CheckpointSpec, at *field.Path) field.ErrorList {
	switch {
	case c.Signal != "" && c.HTTP != nil:
		return refuse(at.Child("http"), c.HTTP.Port, "give exactly one of signal and http; the signal is %s", c.Signal)
	case c.HTTP == nil:
		return oneOf(at.Child("signal"), c.Signal, v1alpha1.SignalTERM, v1alpha1.SignalUSR1, v1alpha1.SignalUSR2)
	}
	errs := within(at.Child("http", "port"), c.HTTP.Port, 1, 65535)
	if !strings.HasPrefix(c.HTTP.Path, "/") {
		errs = append(errs, refuse(at.Child("http", "path"), c.HTTP.Path, "must begin with a slash, such as /checkpoint")...)
	}
	return errs
}

// toldContainer wants a container of every role that is told.
func toldContainer(g *v1alpha1.GangJob, at *field.Path) field.ErrorList {
	c := g.Spec.Checkpoint
	if c.Container == "" {
		return nil
	}
	told := slotRoles(g)
	if c.Target == v1alpha1.TargetRank0 && len(told) > 0 {
		told = told[:1]
	}
	for _, i := range told {
		containers := g.Spec.Roles[i].Template.Spec.Containers
		if !slices.ContainsFunc(containers, func(container corev1.Container) bool { return container.Name == c.Container }) {
			names := make([]string, len(containers))
			for j := range containers {
				names[j] = containers[j].Name
			}
			return refuse(at, c.Container, "role %s has no such container; its containers are: %s", g.Spec.Roles[i].Name, list(names))
		}
	}
	return nil
}

// grace bounds for how long a gang that must leave can keep its slot.
func grace(g *v1alpha1.GangJob, world *World, at *field.Path) field.ErrorList {
	if g.Spec.Checkpoint.GracePeriod == nil {
		return nil
	}
	if errs := positive(at, g.Spec.Checkpoint.GracePeriod, "leave it out for 60s"); errs != nil {
		return errs
	}
	own, longest := g.Spec.Checkpoint.GracePeriod.Duration, time.Duration(0)
	for i := range g.Spec.Roles {
		seconds := ptr.Deref(g.Spec.Roles[i].Template.Spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
		longest = max(longest, time.Duration(seconds)*time.Second)
	}
	bound := world.Limits.MaxGracePeriod.Duration
	if own+longest <= bound {
		return nil
	}
	return refuse(at, own.String(),
		"with the pods' own grace (terminationGracePeriodSeconds, %s) must be at most %s, which the manager's configuration sets (maxGracePeriod); shorten either",
		short(longest), short(bound))
}
