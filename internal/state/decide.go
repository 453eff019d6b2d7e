package state

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Decide returns what to do now, in order. Until the caller has told of each decision's outcome, by [Cache.Wrote] or
// [Cache.Refused], it must not decide again. Next is when to decide again although nothing changes; zero: never.
func (c *Cache) Decide() (decisions []engine.Decision, next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.clock.Now()
	c.settleTeams()
	decisions = c.engine.Decide(now(at))
	if t, ok := c.engine.Next(now(at)); ok {
		next = time.Unix(0, t)
	}
	return decisions, next
}

// Waiting is why a gang waits.
type Waiting struct {
	Key types.NamespacedName
	// Job is the newest version known.
	Job *v1alpha1.GangJob
	// Team is the team that it waits for.
	Team string
	// Why explains it.
	Why engine.Explanation
}

// Pending returns why each gang waits that has no berth to run in, as the last decisions left it.
func (c *Cache) Pending() []Waiting {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := now(c.clock.Now())
	var out []Waiting
	for _, g := range c.gangs {
		if g.entered == nil || g.berth() != nil && g.berth().State >= engine.Reserved {
			continue
		}
		if why := c.engine.Explain(g.key.String(), at); why.Reason != "" {
			out = append(out, Waiting{Key: g.key, Job: g.obj, Team: g.entered.Team, Why: why})
		}
	}
	return out
}

// Gang returns the newest version known of a GangJob, by its ID; nil if there is none. It must not be changed.
func (c *Cache) Gang(id string) *v1alpha1.GangJob {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.byID(id); g != nil {
		return g.obj
	}
	return nil
}

// TeamOfGang returns the team that a gang counts for, empty if there is none.
func (c *Cache) TeamOfGang(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.byID(id); g != nil && g.entered != nil {
		return g.entered.Team
	}
	return ""
}

// Berth returns the berth of a gang, also one that was rebuilt from its pods; nil if it has none.
func (c *Cache) Berth(key types.NamespacedName) *engine.Berth {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.gangs[key]; g != nil && g.berth() != nil {
		b := *g.berth()
		return &b
	}
	return nil
}

// TeamOf returns the team that a gang of a namespace counts for, empty if there is none.
func (c *Cache) TeamOf(namespace string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settleTeams()
	return c.teams.of(namespace)
}

// Pool returns a pool; nil if there is none of the name. It must not be changed.
func (c *Cache) Pool(name string) *v1alpha1.TopologyDomain {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pools[name]
}

// Communication estimates a step's communication in a gang's berth and in the best slot of the empty pool; zero where it
// is not known.
func (c *Cache) Communication(id string) (estimate, best time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, b := c.engine.Communication(id)
	return time.Duration(e), time.Duration(b)
}

func (c *Cache) byID(id string) *gang {
	namespace, name, _ := strings.Cut(id, "/")
	return c.gangs[types.NamespacedName{Namespace: namespace, Name: name}]
}
