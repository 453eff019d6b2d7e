package translate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// Reader is who reads a message.
type Reader struct {
	// Namespace is that of the gang: gangs of other namespaces are not named to it.
	Namespace string
	// Team is the gang's team.
	Team string
	// Time writes an instant; nil: RFC 3339 in UTC.
	Time func(engine.Time) string
}

// Message says in one sentence with numbers why a gang is pending.
func Message(e engine.Explanation, r Reader) string {
	if e.Reason == "" {
		return ""
	}
	text := sentence(e, r)
	if e.Reason != engine.SlotReserved && e.Reason != engine.WaitingForVictims && e.ETA != 0 {
		text += "; expected to start at " + r.time(e.ETA)
	}
	if e.Position > 0 {
		text += fmt.Sprintf("; position %d in its team's order", e.Position)
	}
	if e.Bounded {
		text += "; the search stopped at its bound (SearchBounded)"
	}
	return text
}

func sentence(e engine.Explanation, r Reader) string {
	switch e.Reason {
	case engine.Infeasible:
		return infeasible(e, r)
	case engine.Held:
		return "held by its user: spec.suspend is true or spec.gates is not empty"
	case engine.Paused:
		return fmt.Sprintf("team %s lets nothing start: its stopPolicy is Hold or Drain", r.teamOf(e))
	case engine.NoTeam:
		if e.Cause == engine.TeamCycle {
			return fmt.Sprintf("the parents of team %s lead in a circle", r.teamOf(e))
		}
		return fmt.Sprintf("no team has namespace %s", r.Namespace)
	case engine.BackingOff:
		return "backing off until " + r.time(e.Until)
	case engine.WaitingForVictims:
		return waiting(e, r)
	case engine.SlotReserved:
		return promised(e, r)
	case engine.QuotaExceeded:
		return quota(e, r)
	case engine.BehindInQueue:
		return fmt.Sprintf("%s; a slot is free%s but for the berth of another gang%s", asks(e), inPool(e), heldBy(e, r))
	default:
		return noSlot(e, r)
	}
}

func infeasible(e engine.Explanation, r Reader) string {
	switch e.Cause {
	case engine.TooLargeForPool:
		return fmt.Sprintf("%s; pool %s has %s in all", asks(e), e.Pool, amountOf(e.Capacity, e.Resource))
	case engine.TooLargeForDomain:
		return fmt.Sprintf("%s%s; no such domain of pool %s holds it, even when empty", asks(e), oneOf(e), e.Pool)
	case engine.NoMatchingNode:
		return fmt.Sprintf("no node of pool %s satisfies the node selector, affinity, tolerations and requests of every role", e.Pool)
	case engine.AboveLimit:
		return fmt.Sprintf("%s; team %s may use at most %s%s", asks(e), r.teamOf(e), amountOf(e.Limit, e.Resource), inPool(e))
	case engine.NoPool:
		if e.Pool != "" {
			return fmt.Sprintf("pool %s does not exist", e.Pool)
		}
		return fmt.Sprintf("team %s has a quota for no pool that has the levels asked for", r.teamOf(e))
	case engine.NoLevel:
		return fmt.Sprintf("pool %s does not have every level asked for", e.Pool)
	default:
		return "could not run even if nothing else did"
	}
}

func waiting(e engine.Explanation, r Reader) string {
	text := fmt.Sprintf("waits for %s to leave %s", count(int64(e.Victims), "gang"), domain(e))
	if e.Deadline != 0 {
		text += ", at the latest at " + r.time(e.Deadline)
	}
	return text
}

func promised(e engine.Explanation, r Reader) string {
	if e.ETA == 0 {
		return fmt.Sprintf("a slot is kept for it%s; when it starts is unknown: %s has no maxRuntime", inPool(e), r.gang(e.Basis))
	}
	text := fmt.Sprintf("a slot is kept for it%s from %s on", inPool(e), r.time(e.ETA))
	if e.Basis != "" {
		text += ", when " + r.gang(e.Basis) + " is over"
	}
	return text
}

func quota(e engine.Explanation, r Reader) string {
	if e.Cause == engine.NotLendable {
		return fmt.Sprintf("%s; %s of %s%s are used, and what is idle is guaranteed to teams that do not lend it",
			asks(e), number(e.Used), amountOf(e.Capacity, e.Resource), inPool(e))
	}
	return fmt.Sprintf("%s; team %s uses %s of at most %s%s", asks(e), r.teamOf(e), number(e.Used), amountOf(e.Limit, e.Resource),
		inPool(e))
}

func noSlot(e engine.Explanation, r Reader) string {
	text := fmt.Sprintf("%s%s; %s idle%s", asks(e), oneOf(e), amountOf(e.Free, e.Resource), inPool(e))
	switch {
	case e.PodsAsked == 0:
	case len(e.Domain) > 0:
		text += fmt.Sprintf(", at best %d of %s fit on %s", e.PodsFit, count(e.PodsAsked, "pod"), domain(e))
	default:
		text += fmt.Sprintf(", where %d of %s fit", e.PodsFit, count(e.PodsAsked, "pod"))
	}
	return text + heldBy(e, r)
}

// asks is what the gang asks for.
func asks(e engine.Explanation) string { return "asks for " + amountOf(e.Asked, e.Resource) }

// oneOf names the level of which one domain must hold the gang.
func oneOf(e engine.Explanation) string {
	if e.Level == "" {
		return ""
	}
	return " in one " + e.Level
}

func inPool(e engine.Explanation) string {
	if e.Pool == "" {
		return ""
	}
	return " in pool " + e.Pool
}

func domain(e engine.Explanation) string {
	if len(e.Domain) == 0 {
		return "pool " + e.Pool
	}
	return strings.TrimSpace(e.Level+" "+strings.Join(e.Domain, "/")) + " of pool " + e.Pool
}

// heldBy says who uses the domain, other namespaces' gangs by their team only.
func heldBy(e engine.Explanation, r Reader) string {
	if len(e.Holders) == 0 {
		return ""
	}
	parts := make([]string, 0, len(e.Holders))
	for _, h := range e.Holders {
		var who string
		switch {
		case h.Gang == "":
			who = "pods outside Berth"
		case r.owns(h.Gang):
			who = r.gang(h.Gang)
		default:
			who = "team " + h.Team
		}
		parts = append(parts, who+", "+amountOf(h.Amount, e.Resource))
	}
	return "; held by " + strings.Join(parts, "; ")
}

func (r Reader) owns(gang string) bool { return strings.HasPrefix(gang, r.Namespace+"/") }

// gang names a gang of the reader's namespace, and no other.
func (r Reader) gang(id string) string {
	if r.owns(id) {
		return strings.TrimPrefix(id, r.Namespace+"/")
	}
	return "a gang of another namespace"
}

func (r Reader) teamOf(e engine.Explanation) string {
	if e.Team != "" {
		return e.Team
	}
	return r.Team
}

func (r Reader) time(t engine.Time) string {
	if r.Time != nil {
		return r.Time(t)
	}
	return time.Unix(0, t).UTC().Format(time.RFC3339)
}

// amountOf writes an amount in thousandths with its resource: 8 GPUs, 0.5 cpu.
func amountOf(milli int64, resource string) string {
	if resource == "" {
		return number(milli)
	}
	if strings.HasSuffix(resource, "/gpu") {
		if milli == 1000 {
			return "1 GPU"
		}
		return number(milli) + " GPUs"
	}
	return number(milli) + " " + resource
}

func number(milli int64) string { return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64) }

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
