package simulate

import (
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// samples is over how many points a series is spread.
const samples = 240

// metrics sums up a run as it goes on.
type metrics struct {
	r *run
	// until is up to when numbers are taken, last up to when they have been.
	until, last engine.Time
	// used and capacity are integrals of accelerators over time, fragmentation of Φ_frag, in nanoseconds.
	used, capacity, fragmentation float64
	maxFragmentation              float64
	// lost is work lost, in accelerators times nanoseconds.
	lost        float64
	evictions   map[engine.Rule]int64
	preemptions int64
	series      []Sample
	step, due   engine.Time
	stays       []Stay
	open        map[*gang]int
}

// Sample is the state of a run at one instant.
type Sample struct {
	At            Offset           `json:"at"`
	Utilization   float64          `json:"utilization"`
	Fragmentation float64          `json:"fragmentation"`
	Pending       int64            `json:"pending"`
	Running       int64            `json:"running"`
	Shares        map[string]int64 `json:"shares,omitempty"` // dominant shares, in thousandths
}

// Stay is one stay of a gang on its nodes.
type Stay struct {
	Gang     *gang
	From, To engine.Time
	Slot     engine.Slot
}

func newMetrics(r *run) *metrics {
	measure := engine.Time(r.in.Measure)
	if measure == 0 {
		measure = engine.Time(r.in.Until)
	}
	step := max(measure/samples, 1)
	return &metrics{r: r, until: epoch + measure, last: epoch, evictions: map[engine.Rule]int64{}, step: step, due: epoch, open: map[*gang]int{}}
}

// advance accounts for the time up to an instant, during which nothing has changed.
func (m *metrics) advance(to engine.Time) {
	l := m.r.ledger
	to = min(to, m.until)
	for ; m.due < to; m.due += m.step {
		m.sample()
	}
	if span := float64(to - m.last); span > 0 {
		frag := l.fragmentation()
		m.used += float64(l.held) * span
		m.capacity += float64(l.total) * span
		m.fragmentation += frag * span
		m.maxFragmentation = max(m.maxFragmentation, frag)
	}
	m.last = to
}

func (m *metrics) sample() {
	l := m.r.ledger
	s := Sample{
		At: since(m.due), Utilization: round(l.utilization()), Fragmentation: round(l.fragmentation()),
		Pending: m.r.counts.of(Pending, ""), Running: m.r.counts.of(Running, "") + m.r.counts.of(Preempting, ""),
	}
	if len(m.r.owners.names) > 0 {
		s.Shares = make(map[string]int64, len(m.r.owners.names))
		for _, team := range m.r.owners.names {
			s.Shares[team], _, _ = m.r.s.Share(team)
		}
	}
	m.series = append(m.series, s)
}

func (m *metrics) started(g *gang, slot engine.Slot) {
	if m.r.options.Gantt {
		m.open[g] = len(m.stays)
		m.stays = append(m.stays, Stay{Gang: g, From: m.r.now, Slot: slot})
	}
}

func (m *metrics) stopped(g *gang) {
	if at, running := m.open[g]; running {
		m.stays[at].To = m.r.now
		delete(m.open, g)
	}
}

func (m *metrics) evicted(rule engine.Rule) {
	m.evictions[rule]++
	m.preemptions++
}

// Numbers sum up a run, or the part of it that has passed.
type Numbers struct {
	Preemptions      int64   `json:"preemptions"`
	LostGPUHours     float64 `json:"lostGPUHours"`
	Utilization      float64 `json:"utilization"`
	Fragmentation    float64 `json:"fragmentation"`
	MaxFragmentation float64 `json:"maxFragmentation"`
}

func (m *metrics) numbers() Numbers {
	n := Numbers{
		Preemptions: m.preemptions, LostGPUHours: round(m.lost / float64(time.Hour)), MaxFragmentation: round(m.maxFragmentation),
	}
	if m.capacity > 0 {
		n.Utilization = round(m.used / m.capacity)
	}
	if span := float64(m.last - epoch); span > 0 {
		n.Fragmentation = round(m.fragmentation / span)
	}
	return n
}
