package state

import (
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// job is what is kept of a child Job.
type job struct {
	uid     types.UID
	name    string
	gang    types.NamespacedName
	owner   types.UID // of the GangJob
	role    string
	attempt int
	// suspended as its spec says; its pods may still be there.
	suspended bool
}

// SetJob learns of a Job. Those that no GangJob owns are none of Berth's business.
func (c *Cache) SetJob(j *batchv1.Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	owner := metav1.GetControllerOf(j)
	if owner == nil || owner.Kind != "GangJob" || owner.APIVersion != v1alpha1.GroupVersion.String() {
		return
	}
	attempt, err := strconv.Atoi(j.Labels[v1alpha1.LabelAttempt])
	if err != nil {
		return
	}
	next := &job{
		uid: j.UID, name: j.Name, gang: types.NamespacedName{Namespace: j.Namespace, Name: owner.Name}, owner: owner.UID,
		role: j.Labels[v1alpha1.LabelRole], attempt: attempt, suspended: j.Spec.Suspend != nil && *j.Spec.Suspend,
	}
	old := c.jobs[j.UID]
	if old != nil && *old == *next {
		return
	}
	c.jobs[j.UID] = next
	byKey(c.jobsOf, next.gang)[j.UID] = next
	c.regard(next)
}

// RemoveJob learns that a Job is gone. Its pods may outlive it.
func (c *Cache) RemoveJob(uid types.UID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	j := c.jobs[uid]
	if j == nil {
		return
	}
	delete(c.jobs, uid)
	delete(c.jobsOf[j.gang], uid)
	if len(c.jobsOf[j.gang]) == 0 {
		delete(c.jobsOf, j.gang)
	}
	c.regard(j)
}

// regard looks again at everything that depends on a Job: whether its pods stand on their gang's berth, and whether the
// gang has all it needs to start.
func (c *Cache) regard(j *job) {
	for _, p := range c.podsOf[j.uid] {
		c.place(p)
	}
	if g := c.gangs[j.gang]; g != nil {
		c.enter(g)
	}
	c.notify(j.gang)
}

// Gone tells whether no pod of a gang's attempt is left that could still use its node.
func (c *Cache) Gone(key types.NamespacedName, attempt int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone(key, attempt)
}

func (c *Cache) gone(key types.NamespacedName, attempt int) bool {
	for _, j := range c.jobsOf[key] {
		if j.attempt != attempt {
			continue
		}
		for _, p := range c.podsOf[j.uid] {
			if !p.ended {
				return false
			}
		}
	}
	return true
}

// attempts returns the attempts of which a gang has Jobs, in order.
func (c *Cache) attempts(g *gang) []int {
	var out []int
	for _, j := range c.jobsOf[g.key] {
		if g.owns(j) && !slices.Contains(out, j.attempt) {
			out = append(out, j.attempt)
		}
	}
	slices.Sort(out)
	return out
}
