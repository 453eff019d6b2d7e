package simulate

import (
	"math"
	"strconv"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// Report is what came of a run.
type Report struct {
	Scenario    string `json:"scenario"`
	Description string `json:"description,omitempty"`
	Policy      string `json:"policy,omitempty"`
	// Failures are the expectations and checks that did not hold.
	Failures []Failure   `json:"failures"`
	Summary  Summary     `json:"summary"`
	Gangs    []GangLine  `json:"gangs,omitempty"`
	Series   []Sample    `json:"series,omitempty"`
	Events   []Happening `json:"events,omitempty"`

	// Brief leaves the gangs one by one out of the table.
	Brief bool `json:"-"`
	stays []Stay
	nodes []*machine
	pools map[string]engine.Pool
}

// Holds reports whether everything held that had to.
func (r *Report) Holds() bool { return len(r.Failures) == 0 }

// Summary sums up the whole run.
type Summary struct {
	Numbers
	Until     Offset      `json:"until"`
	Submitted int         `json:"submitted"`
	Succeeded int         `json:"succeeded"`
	Failed    int         `json:"failed"`
	Waiting   int         `json:"waiting"`
	Evictions []RuleCount `json:"evictions,omitempty"`
	Waits     []Waits     `json:"waits,omitempty"`
	// Communication is the mean of T_comm over its best possible, over all gangs that have one; zero: none has.
	Communication float64 `json:"communication,omitempty"`
}

// RuleCount counts evictions by the rule that they rest on.
type RuleCount struct {
	Rule  string `json:"rule"`
	Count int64  `json:"count"`
}

// Waits are those of the gangs of one size, from submission to the first start. Gangs that never started count with the
// time they have waited.
type Waits struct {
	// From and To bound the gangs' accelerators.
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Gangs int    `json:"gangs"`
	P50   Offset `json:"p50"`
	P95   Offset `json:"p95"`
	Mean  Offset `json:"mean"`
	// Turnaround is the mean time from submission to success, of those that succeeded: preemptions lengthen it, not the waits.
	Turnaround Offset `json:"turnaround"`
	// Communication is the mean of T_comm over its best possible.
	Communication float64 `json:"communication,omitempty"`
}

// GangLine tells what became of one gang.
type GangLine struct {
	Name         string   `json:"name"`
	Phase        Phase    `json:"phase"`
	Reason       string   `json:"reason,omitempty"`
	Message      string   `json:"message,omitempty"`
	Accelerators int64    `json:"accelerators"`
	Submitted    Offset   `json:"submitted"`
	Admitted     *Offset  `json:"admitted,omitempty"`
	Finished     *Offset  `json:"finished,omitempty"`
	Waited       Offset   `json:"waited"`
	Preemptions  int64    `json:"preemptions"`
	Restarts     int64    `json:"restarts"`
	LostGPUHours float64  `json:"lostGPUHours"`
	Nodes        []string `json:"nodes,omitempty"`
	Level        string   `json:"level,omitempty"`
	// Estimate and Best are T_comm on the gang's slot and on the best one possible, in nanoseconds.
	Estimate int64 `json:"communicationEstimate,omitempty"`
	Best     int64 `json:"communicationBest,omitempty"`
}

func (r *run) report() *Report {
	rep := &Report{
		Scenario: r.in.Name, Description: r.in.Description, Failures: r.failures, Series: r.metrics.series,
		Events: r.log.list, stays: r.metrics.stays, nodes: r.ledger.order, pools: r.pools,
	}
	if rep.Failures == nil {
		rep.Failures = []Failure{}
	}
	for i := range rep.stays {
		if rep.stays[i].To == 0 {
			rep.stays[i].To = r.now
		}
	}
	for i, g := range r.all {
		if g != nil {
			r.lines[i] = r.line(g)
		}
	}
	rep.Gangs = r.lines
	rep.Summary = r.summary(rep.Gangs)
	return rep
}

func (r *run) line(g *gang) GangLine {
	l := GangLine{
		Name: g.ID, Phase: g.phase, Accelerators: g.asks(r), Submitted: since(g.submitted), Preemptions: g.preemptions,
		Restarts: g.restarts, LostGPUHours: round(g.lost / float64(time.Hour)), Nodes: g.nodes, Level: g.level,
		Estimate: g.estimate, Best: g.best,
	}
	until := r.now
	if g.finished != 0 {
		finished := since(g.finished)
		l.Finished, until = &finished, g.finished
	}
	if g.admitted != 0 {
		admitted := since(g.admitted)
		l.Admitted, until = &admitted, g.admitted
	}
	l.Waited = Offset(until - g.submitted)
	if g.phase == Pending {
		e := r.s.Explain(g.ID, r.now)
		l.Reason, l.Message = string(e.Reason), r.message(g, e)
	}
	return l
}

// asks is how many accelerators a gang asks for: those of its last slot, or, where it never had one, of its whole size in
// the first pool that it may use.
func (g *gang) asks(r *run) int64 {
	if g.admitted != 0 {
		return g.accelerators
	}
	pool, named := r.pools[g.Pool]
	if !named && len(r.in.Pools) > 0 {
		pool = r.in.Pools[0]
	}
	var sum int64
	for _, role := range g.Roles {
		sum += weigh(role.Pod.Requests, pool.Accelerators) * int64(role.Count)
	}
	return sum
}

func (r *run) summary(gangs []GangLine) Summary {
	s := Summary{Numbers: r.metrics.numbers(), Until: since(r.now), Submitted: len(gangs)}
	for _, g := range gangs {
		switch g.Phase {
		case Succeeded:
			s.Succeeded++
		case Failed:
			s.Failed++
		case Pending:
			s.Waiting++
		default: // runs, or is deleted
		}
	}
	for rule := engine.ByTier; rule <= engine.ByDrain; rule++ {
		if n := r.metrics.evictions[rule]; n > 0 {
			s.Evictions = append(s.Evictions, RuleCount{rule.String(), n})
		}
	}
	all := make([]*GangLine, len(gangs))
	for i := range gangs {
		all[i] = &gangs[i]
	}
	s.Waits, s.Communication = waitsBySize(all), meanCommunication(all)
	return s
}

// round keeps four decimals, so that reports do not show what floating point makes of the rest.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// MarshalText writes a time of the scenario as people do: 1h30m.
func (o Offset) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
