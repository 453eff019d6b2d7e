package admission

import (
	"fmt"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// writer turns decisions into the status of one gang.
type writer struct {
	state  *state.Cache
	now    time.Time
	events []events.Event
	// idle tells that a decision came to nothing: what it was about has changed.
	idle bool
}

// apply changes a gang's status as a decision asks.
func (w *writer) apply(g *v1alpha1.GangJob, d engine.Decision) {
	if !possible(g, d.Kind) {
		w.idle = true
		return
	}
	switch d.Kind {
	case engine.Admit, engine.Plan, engine.Promise:
		w.give(g, d)
	case engine.Evict, engine.Move, engine.Expire:
		w.notice(g, d)
	case engine.Release:
		w.release(g, d.Rule)
	case engine.Replace:
		ledger.Replace(g, w.team(d.Gang), d.Slot, w.now)
		w.events = append(w.events, events.Replaced(g))
	case engine.Grow:
		ledger.Resize(g, d.Slot)
		w.events = append(w.events, events.Resized(g.Status.Assignment, true))
	case engine.Shrink:
		w.shrink(g, d)
	case engine.Spare:
		ledger.Spare(g)
	case engine.Head:
		ledger.Head(g, w.headed(g), translate.Time(d.At), w.now)
	}
}

// possible tells whether a decision still suits what a gang is by now.
func possible(g *v1alpha1.GangJob, kind engine.Kind) bool {
	if g.Status.Phase.Finished() {
		return false
	}
	staying := held(g) && !ledger.Leaving(g)
	switch kind {
	case engine.Admit, engine.Plan, engine.Promise:
		return !held(g) && g.DeletionTimestamp == nil
	case engine.Expire:
		return staying && started(g)
	case engine.Evict, engine.Move:
		return staying
	case engine.Shrink:
		return staying && !ledger.Shrinking(g)
	case engine.Release:
		return g.Status.Berth != nil && !ledger.Leaving(g)
	case engine.Grow:
		return held(g)
	case engine.Spare:
		return ledger.Leaving(g) && !g.Status.Preemption.Signaled
	default:
		return true
	}
}

// started tells whether the attempt's pods were all Ready: until then it has not run.
func started(g *v1alpha1.GangJob) bool {
	return g.Status.History != nil && g.Status.History.StartTime != nil
}

// held tells whether a gang is in its berth, or about to be.
func held(g *v1alpha1.GangJob) bool {
	b := g.Status.Berth
	return b != nil && b.State != v1alpha1.BerthFuture && b.State != v1alpha1.BerthPlanned
}

// give gives a gang a berth.
func (w *writer) give(g *v1alpha1.GangJob, d engine.Decision) {
	team := w.team(d.Gang)
	switch d.Kind {
	case engine.Admit:
		ledger.Reserve(g, team, d.Slot, w.now)
	case engine.Plan:
		ledger.Plan(g, team, d.Slot, w.victims(d.Victims), w.now)
	default:
		basis := ""
		if other := w.state.Gang(d.Basis); other != nil {
			basis = string(other.UID)
		}
		ledger.Promise(g, team, d.Slot, d.At, basis, w.now)
	}
}

// notice tells a gang to leave.
func (w *writer) notice(g *v1alpha1.GangJob, d engine.Decision) {
	rule := d.Rule.String()
	var byUID, why string
	switch {
	case d.Kind == engine.Expire:
		rule, why = v1alpha1.RuleMaxRuntime, "its maxRuntime is over"
	case d.Rule == engine.ByDrain && (g.Spec.Suspend || len(g.Spec.Gates) > 0):
		rule, why = v1alpha1.RuleSuspend, "its user suspended it"
	case d.Rule == engine.ByDrain:
		why = "team " + g.Status.Team + " is drained"
	case d.For == "":
		why = "a node under it is taken out of use"
	default:
		byUID, why = w.beneficiary(g, d.For)
	}
	deadline := w.now.Add(translate.Grace(&g.Spec))
	message := "told to leave: " + why
	ledger.Notice(g, byUID, rule, message, w.now, deadline)
	w.events = append(w.events, events.Preempting(message, deadline.UTC().Format(time.RFC3339)))
	if d.Kind == engine.Move {
		ledger.GoOn(g, d.Slot)
	}
}

// shrink tells a gang's surplus to leave.
func (w *writer) shrink(g *v1alpha1.GangJob, d engine.Decision) {
	byUID, _ := w.beneficiary(g, d.For)
	ledger.Shrink(g, byUID, d.Rule.String(), d.Slot, w.now, w.now.Add(translate.Grace(&g.Spec)))
	w.events = append(w.events, events.Resized(g.Status.Preemption.Next, false))
}

// beneficiary is the UID of the gang that another one leaves for, and how it is named to that one.
func (w *writer) beneficiary(g *v1alpha1.GangJob, id string) (uid, why string) {
	other := w.state.Gang(id)
	if other == nil {
		return "", "room is needed"
	}
	if other.Namespace == g.Namespace {
		return string(other.UID), "GangJob " + other.Name + " needs the room"
	}
	team := w.team(id)
	if team == "" {
		team = other.Status.Team
	}
	return string(other.UID), fmt.Sprintf("a gang of team %s with %s accelerators needs the room", team,
		other.Status.Accelerators.String())
}

// release takes a gang's berth from it: at once where no pod is in it.
func (w *writer) release(g *v1alpha1.GangJob, rule engine.Rule) {
	if rule == engine.ByIdle {
		ledger.Lapse(g, w.now)
		return
	}
	if !held(g) {
		ledger.Withdraw(g, "the slot that was kept for it is given up")
		return
	}
	const message = "a node under it failed, and there is no other"
	deadline := w.now.Add(translate.Grace(&g.Spec))
	ledger.Notice(g, "", engine.ByFault.String(), message, w.now, deadline)
	w.events = append(w.events, events.Preempting(message, deadline.UTC().Format(time.RFC3339)))
}

// victims names gangs by their UIDs.
func (w *writer) victims(list []engine.Victim) []v1alpha1.BerthVictim {
	var out []v1alpha1.BerthVictim
	for _, v := range list {
		if g := w.state.Gang(v.Gang); g != nil {
			out = append(out, v1alpha1.BerthVictim{UID: string(g.UID), Attempt: int32(v.Attempt), Part: v.Part})
		}
	}
	return out
}

func (w *writer) team(id string) string { return w.state.TeamOfGang(id) }

// headed is the pool in which a gang heads its team's order.
func (w *writer) headed(g *v1alpha1.GangJob) string {
	if g.Spec.Pool != "" {
		return g.Spec.Pool
	}
	return anyPool
}

// anyPool stands for the pool of a gang that names none.
const anyPool = "*"
