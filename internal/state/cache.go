package state

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Cache holds the engine's state as the watches tell it. All methods may be called by any goroutine.
type Cache struct {
	clock clock.PassiveClock

	mu     sync.Mutex
	engine *engine.State

	nodes  map[string]*node
	pods   map[string]*pod
	podsOf map[types.UID]map[string]*pod // by Job
	jobs   map[types.UID]*job
	jobsOf map[types.NamespacedName]map[types.UID]*job
	gangs  map[types.NamespacedName]*gang
	uids   map[types.UID]types.NamespacedName
	pools  map[string]*v1alpha1.TopologyDomain // roots
	// domains are the children that Berth wrote, by name; they matter for their cordons.
	domains map[string]*v1alpha1.TopologyDomain
	quotas  map[string]*v1alpha1.Quota
	teams   teams
	counts  map[string]counts // by team

	changes   []chan struct{}
	listeners []func(types.NamespacedName)
}

// New returns an empty cache that decides under cfg.
func New(cfg engine.Config, clk clock.PassiveClock) *Cache {
	return &Cache{
		clock: clk, engine: engine.New(cfg),
		nodes: map[string]*node{}, pods: map[string]*pod{}, podsOf: map[types.UID]map[string]*pod{},
		jobs: map[types.UID]*job{}, jobsOf: map[types.NamespacedName]map[types.UID]*job{},
		gangs: map[types.NamespacedName]*gang{}, uids: map[types.UID]types.NamespacedName{},
		pools: map[string]*v1alpha1.TopologyDomain{}, domains: map[string]*v1alpha1.TopologyDomain{},
		quotas: map[string]*v1alpha1.Quota{}, teams: newTeams(), counts: map[string]counts{},
	}
}

// Changes returns a channel that receives after something changed that may change a decision or a view. Any number of
// changes make one signal. Every caller gets a channel of its own.
func (c *Cache) Changes() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan struct{}, 1)
	c.changes = append(c.changes, ch)
	return ch
}

// changed wakes whoever waits for changes.
func (c *Cache) changed() {
	for _, ch := range c.changes {
		select {
		case ch <- struct{}{}:
		default: // a signal waits already
		}
	}
}

// OnGang calls f whenever something may have changed for a gang that its own object does not show: its reservation came
// back by the watch, or pods of it went. f must not block and must not call the cache. It is to be called before the
// first event.
func (c *Cache) OnGang(f func(types.NamespacedName)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
}

func (c *Cache) notify(key types.NamespacedName) {
	for _, f := range c.listeners {
		f(key)
	}
}

// now is the engine's time of an instant.
func now(t time.Time) engine.Time { return t.UnixNano() }
