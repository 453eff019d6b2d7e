package state

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/translate"
)

// SetNamespace learns of a namespace; its labels may make it a team's.
func (c *Cache) SetNamespace(n *corev1.Namespace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, known := c.teams.namespaces[n.Name]; known && maps.Equal(old, n.Labels) {
		return
	}
	c.teams.namespaces[n.Name] = n.Labels
	c.teams.stale = true
	c.changed()
}

// RemoveNamespace learns that a namespace is gone.
func (c *Cache) RemoveNamespace(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.teams.namespaces, name)
	c.teams.stale = true
	c.changed()
}

// SetTeam learns of a team.
func (c *Cache) SetTeam(t *v1alpha1.Team) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.teams.specs[t.Name]
	c.teams.specs[t.Name] = t
	if old != nil && old.UID == t.UID && equality.Semantic.DeepEqual(old.Spec, t.Spec) &&
		(old.DeletionTimestamp == nil) == (t.DeletionTimestamp == nil) {
		return // a status of our own
	}
	c.teams.stale = true
	c.engine.SetTeam(translate.Team(t))
	c.changed()
}

// RemoveTeam learns that a team is gone. Its gangs keep their berths.
func (c *Cache) RemoveTeam(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.teams.specs, name)
	c.teams.stale = true
	c.engine.RemoveTeam(name)
	c.changed()
}

// SetQuota learns of a quota.
func (c *Cache) SetQuota(q *v1alpha1.Quota) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.quotas[q.Name]
	c.quotas[q.Name] = q
	if old != nil && old.UID == q.UID && equality.Semantic.DeepEqual(old.Spec, q.Spec) {
		return
	}
	c.engine.SetQuota(translate.Quota(q))
	for _, g := range c.gangs {
		c.enter(g) // maxRuntime may be the quota's
	}
	c.changed()
}

// RemoveQuota learns that a quota is gone.
func (c *Cache) RemoveQuota(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q := c.quotas[name]; q != nil {
		delete(c.quotas, name)
		c.engine.RemoveQuota(q.Spec.Team)
		for _, g := range c.gangs {
			c.enter(g)
		}
		c.changed()
	}
}

// settleTeams gives gangs the team that their namespace has now.
func (c *Cache) settleTeams() {
	moved := map[string]bool{}
	for _, namespace := range c.teams.resolve() {
		moved[namespace] = true
	}
	if len(moved) == 0 {
		return
	}
	for _, g := range c.gangs {
		if moved[g.key.Namespace] {
			c.enter(g)
		}
	}
}
