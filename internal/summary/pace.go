package summary

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Pace holds writes of one object apart.
type Pace struct {
	interval time.Duration

	mu   sync.Mutex
	last map[types.UID]time.Time
}

// NewPace returns a pace of one write an interval.
func NewPace(interval time.Duration) *Pace {
	return &Pace{interval: interval, last: map[types.UID]time.Time{}}
}

// Wait returns how long a write of an object must wait. At zero the write is due, and the next one an interval later.
func (p *Pace) Wait(uid types.UID, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last, ok := p.last[uid]; ok {
		if wait := last.Add(p.interval).Sub(now); wait > 0 {
			return wait
		}
	}
	p.last[uid] = now
	for other, last := range p.last {
		if now.Sub(last) > p.interval {
			delete(p.last, other)
		}
	}
	return 0
}
