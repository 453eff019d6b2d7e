package state

import (
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// gang is a GangJob as it is known.
type gang struct {
	key types.NamespacedName
	uid types.UID
	// obj is the newest version known, by the watch or by Berth's own write.
	obj *v1alpha1.GangJob
	// watched is the newest version that the watch brought.
	watched *v1alpha1.GangJob
	// entered is what the engine was told last; nil while it does not know the gang.
	entered *engine.Gang
	// entry is the resource version at which the gang's stay in its berth was first seen.
	entry string
}

func (g *gang) owns(j *job) bool { return j.owner == g.uid }

// holds tells whether the engine counts a berth for an attempt.
func (g *gang) holds(attempt int) bool {
	b := g.berth()
	return b != nil && b.State >= engine.Reserved && b.Attempt == attempt
}

func (g *gang) berth() *engine.Berth {
	if g.entered == nil {
		return nil
	}
	return g.entered.Berth
}

func (g *gang) inSlot(role string) bool {
	for i := range g.obj.Spec.Roles {
		if r := &g.obj.Spec.Roles[i]; r.Name == role {
			return r.InSlot()
		}
	}
	return false
}

// SetGang learns of a GangJob by the watch.
func (c *Cache) SetGang(obj *v1alpha1.GangJob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := types.NamespacedName{Namespace: obj.Namespace, Name: obj.Name}
	g := c.gangs[key]
	if g == nil || g.uid != obj.UID {
		if g != nil {
			c.forget(g)
		}
		g = &gang{key: key, uid: obj.UID, obj: obj}
		c.gangs[key] = g
		c.uids[obj.UID] = key
	}
	g.watched = obj
	if !newer(g.obj, obj) {
		g.obj = obj
	}
	c.enter(g)
	c.notify(key)
}

// Wrote learns of a version of a GangJob as the answer to a write.
func (c *Cache) Wrote(obj *v1alpha1.GangJob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gangs[types.NamespacedName{Namespace: obj.Namespace, Name: obj.Name}]
	if g == nil || g.uid != obj.UID || newer(g.obj, obj) {
		return
	}
	g.obj = obj
	c.enter(g)
}

// Refused takes back what the engine assumed of a gang: the write of its decision was refused.
func (c *Cache) Refused(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.byID(id); g != nil {
		c.tell(g)
	}
}

// RemoveGang learns that a GangJob is gone. Pods that it leaves behind keep their room until they end.
func (c *Cache) RemoveGang(key types.NamespacedName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.gangs[key]; g != nil {
		c.forget(g)
		c.notify(key)
	}
}

func (c *Cache) forget(g *gang) {
	delete(c.gangs, g.key)
	delete(c.uids, g.uid)
	c.count(g.entered, -1)
	c.engine.RemoveGang(g.key.String())
	c.placeAll(g)
	c.changed()
}

// enter works out what the engine should know of a gang, and tells it if that is not what it knows.
func (c *Cache) enter(g *gang) {
	before := g.entered
	g.entered = c.asEngineGang(g)
	if !sameStay(before, g.entered) {
		g.entry = g.obj.ResourceVersion
	}
	if same(before, g.entered) {
		return
	}
	c.count(before, -1)
	c.count(g.entered, 1)
	c.tell(g)
	if !sameStay(before, g.entered) {
		c.placeAll(g)
	}
	c.changed()
}

// tell makes the engine know of a gang what is entered for it.
func (c *Cache) tell(g *gang) {
	if g.entered == nil {
		c.engine.RemoveGang(g.key.String())
	} else {
		c.engine.SetGang(*g.entered)
	}
}

// placeAll looks again at whether a gang's pods stand on its berth.
func (c *Cache) placeAll(g *gang) {
	for _, j := range c.jobsOf[g.key] {
		for _, p := range c.podsOf[j.uid] {
			c.place(p)
		}
	}
}

// asEngineGang returns what the engine should know of a gang; nil while it has no business with it: ended, somebody
// else's, about to be deleted, or without the suspended Jobs that a start would release.
func (c *Cache) asEngineGang(g *gang) *engine.Gang {
	obj := g.obj
	if obj.Status.Phase.Finished() || !managed(obj) {
		return nil
	}
	e := translate.Gang(obj, c.owner(obj), c.nameOf)
	if e.Berth == nil {
		e.Berth = c.rebuild(g)
	}
	if e.Berth == nil && (obj.DeletionTimestamp != nil || !c.equipped(g, int(obj.Status.Attempts)+1)) {
		return nil
	}
	return &e
}

// managed tells whether a GangJob is this manager's business.
func managed(obj *v1alpha1.GangJob) bool {
	return obj.Spec.ManagedBy == "" || obj.Spec.ManagedBy == v1alpha1.ManagedByGangJob
}

// owner returns the team that a gang counts for, and its quota: while it holds a berth, the team that it was let in for,
// whoever has its namespace by now.
func (c *Cache) owner(obj *v1alpha1.GangJob) translate.Owner {
	name := c.teams.of(obj.Namespace)
	if obj.Status.Berth != nil && obj.Status.Team != "" {
		name = obj.Status.Team
	}
	team := c.teams.specs[name]
	if team == nil {
		return translate.Owner{}
	}
	return translate.Owner{Team: team, Quota: c.quotas[team.Name]}
}

// nameOf returns the ID of the gang with a UID, empty where it is gone.
func (c *Cache) nameOf(uid string) string {
	key, ok := c.uids[types.UID(uid)]
	if !ok {
		return ""
	}
	return key.String()
}

// equipped tells whether a gang has the Jobs of an attempt, all suspended.
func (c *Cache) equipped(g *gang, attempt int) bool {
	n := 0
	for _, j := range c.jobsOf[g.key] {
		if g.owns(j) && j.attempt == attempt && j.suspended {
			n++
		}
	}
	return n == len(g.obj.Spec.Roles)
}

// newer tells whether a is a later version of the object than b.
func newer(a, b *v1alpha1.GangJob) bool { return older(b.ResourceVersion, a.ResourceVersion) }

// older tells whether a is an earlier resource version than b.
func older(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// same tells whether two records of a gang say the same.
func same(a, b *engine.Gang) bool { return reflect.DeepEqual(a, b) }

// sameStay tells whether two records of a gang speak of the same stay in a berth that holds its pods.
func sameStay(a, b *engine.Gang) bool { return stay(a) == stay(b) }

func stay(g *engine.Gang) int {
	if g == nil || g.Berth == nil || g.Berth.State < engine.Reserved {
		return 0
	}
	return g.Berth.Attempt
}
