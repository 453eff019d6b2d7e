package gangjob

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// progressInterval is how often the mere progress of a gang's pods is written.
const progressInterval = 2 * time.Second

// memory is what is kept of gangs between passes. Losing it costs writes, and nothing else.
type memory struct {
	mu    sync.Mutex
	gangs map[types.NamespacedName]*remembered
}

type remembered struct {
	// written is when progress was last written.
	written time.Time
	// released are the Jobs that were let go. None is ever again, and the watch may be late to show it.
	released map[types.UID]bool
}

// pace returns how long the progress of a gang must wait to be written, and notes the time if it need not.
func (m *memory) pace(key types.NamespacedName, now time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.of(key)
	if wait := g.written.Add(progressInterval).Sub(now); wait > 0 {
		return wait
	}
	g.written = now
	return 0
}

// release notes that a Job is let go, and begins an interval of progress. It reports false if it was let go before.
func (m *memory) release(key types.NamespacedName, job types.UID, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.of(key)
	if g.released[job] {
		return false
	}
	g.written = now
	g.released[job] = true
	return true
}

// wasReleased tells whether a Job was let go.
func (m *memory) wasReleased(key types.NamespacedName, job types.UID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of(key).released[job]
}

// unrelease takes back that a Job was let go.
func (m *memory) unrelease(key types.NamespacedName, job types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.of(key).released, job)
}

// forget drops what is kept of a gang.
func (m *memory) forget(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.gangs, key)
}

func (m *memory) of(key types.NamespacedName) *remembered {
	if m.gangs == nil {
		m.gangs = map[types.NamespacedName]*remembered{}
	}
	g := m.gangs[key]
	if g == nil {
		g = &remembered{released: map[types.UID]bool{}}
		m.gangs[key] = g
	}
	return g
}
