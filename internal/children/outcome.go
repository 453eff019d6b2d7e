package children

import (
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Verdict is what the Jobs of an attempt say of the gang.
type Verdict int8

// The verdicts.
const (
	// Going: it goes on.
	Going Verdict = iota
	// Succeeded: the roles of its success policy have succeeded.
	Succeeded
	// FailedForGood: a pod failed in a way that its role's podFailurePolicy calls final.
	FailedForGood
	// Failed: a pod failed.
	Failed
)

// Outcome judges an attempt by its Jobs, and names the role that decided it. Success goes before failure: when the roles
// of the success policy are done, what becomes of the others no longer matters.
func Outcome(g *v1alpha1.GangJob, jobs map[string]*batchv1.Job) (Verdict, string) {
	if succeeded(g, jobs) {
		return Succeeded, ""
	}
	for i := range g.Spec.Roles {
		name := g.Spec.Roles[i].Name
		j := jobs[name]
		if j == nil {
			continue
		}
		for _, c := range j.Status.Conditions {
			if c.Status != corev1.ConditionTrue || c.Type != batchv1.JobFailed && c.Type != batchv1.JobFailureTarget {
				continue
			}
			if c.Reason == batchv1.JobReasonPodFailurePolicy {
				return FailedForGood, name
			}
			return Failed, name
		}
	}
	return Going, ""
}

func succeeded(g *v1alpha1.GangJob, jobs map[string]*batchv1.Job) bool {
	decisive := 0
	for i := range g.Spec.Roles {
		r := &g.Spec.Roles[i]
		if p := g.Spec.SuccessPolicy; p != nil && !slices.Contains(p.Roles, r.Name) || p == nil && !r.InSlot() {
			continue
		}
		decisive++
		if j := jobs[r.Name]; j == nil || !has(j, batchv1.JobComplete) {
			return false
		}
	}
	return decisive > 0
}

// Progress returns how many pods of an attempt are Ready or have succeeded, of how many.
func Progress(jobs map[string]*batchv1.Job) (ready, pods int32) {
	for _, j := range jobs {
		if j.Spec.Completions != nil {
			pods += *j.Spec.Completions
		}
		ready += j.Status.Succeeded
		if j.Status.Ready != nil {
			ready += *j.Status.Ready
		}
	}
	return min(ready, pods), pods
}

// Begun returns from when the pods of an attempt can be there at the earliest: since its Jobs were let go, not since that
// was decided. Jobs that have not begun begin now.
func Begun(jobs map[string]*batchv1.Job, decided, now time.Time) time.Time {
	begun := decided
	for _, j := range jobs {
		switch {
		case j.Status.StartTime == nil:
			return now
		case j.Status.StartTime.After(begun):
			begun = j.Status.StartTime.Time
		}
	}
	return begun
}

// Done returns how many pods of an attempt have succeeded, of how many.
func Done(jobs map[string]*batchv1.Job) (succeeded, pods int32) {
	_, pods = Progress(jobs)
	for _, j := range jobs {
		succeeded += j.Status.Succeeded
	}
	return succeeded, pods
}

// rejections are the reasons with which a kubelet turns a pod away or takes it down: the node's fault, not the program's.
var rejections = []string{
	"UnexpectedAdmissionError", "TopologyAffinityError", "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage",
	"Evicted", "NodeShutdown", "Terminated", "NodeAffinity", "Shutdown", "NodeLost",
}

// Blame looks at the pods of an attempt of which one failed. It tells whether a node is to blame rather than the program,
// and describes the failure.
func Blame(pods []*corev1.Pod) (nodesFault bool, message string) {
	for _, p := range pods {
		if p.Status.Phase != corev1.PodFailed {
			continue
		}
		fault := disrupted(p) || slices.Contains(rejections, p.Status.Reason) || outOfDevice(p.Status.Reason)
		if fault {
			return true, fmt.Sprintf("pod %s was lost with its place: %s", p.Name, cause(p))
		}
		message = fmt.Sprintf("pod %s failed: %s", p.Name, cause(p))
	}
	if message == "" {
		message = "a pod failed and is gone"
	}
	return false, message
}

func outOfDevice(reason string) bool { return len(reason) > 5 && reason[:5] == "OutOf" }

func disrupted(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue
	})
}

func cause(p *corev1.Pod) string {
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if t := c.State.Terminated; t != nil && t.ExitCode != 0 {
			return fmt.Sprintf("container %s exited with %d (%s)", c.Name, t.ExitCode, t.Reason)
		}
	}
	if p.Status.Reason != "" {
		return p.Status.Reason
	}
	return "phase " + string(p.Status.Phase)
}
