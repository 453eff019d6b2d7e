package simulate

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// reasons are the words for why a gang is pending.
var reasons = []string{
	string(engine.Infeasible), string(engine.Held), string(engine.Paused), string(engine.NoTeam), string(engine.BackingOff),
	string(engine.WaitingForVictims), string(engine.SlotReserved), string(engine.QuotaExceeded), string(engine.BehindInQueue),
	string(engine.NoCoherentSlot),
}

// expectations reads spec.expect.
func (r *reader) expectations() {
	for i := range r.scenario.Spec.Expect {
		path := fmt.Sprintf("spec.expect[%d]", i)
		x := &r.scenario.Spec.Expect[i]
		e := Expectation{Line: r.doc.Line(path)}
		r.when(path, x, &e)
		e.subject, e.says = r.subject(path, x)
		if e.subject != nil {
			r.in.Expect = append(r.in.Expect, e)
		}
	}
}

// when reads at, by or always.
func (r *reader) when(path string, x *expectationSpec, e *Expectation) {
	given := 0
	if x.At != nil {
		given++
		e.when, e.at = atInstant, x.At.Duration
	}
	if x.By != nil {
		given++
		e.when, e.at = byInstant, x.By.Duration
	}
	if x.Always != nil {
		given++
		e.when = always
		if !*x.Always {
			r.wrong(path+".always", "got false, want true or at or by")
		}
	}
	switch {
	case given != 1:
		r.wrong(path, "got %d of at, by and always, want exactly one", given)
	case e.at < 0 || e.at > r.in.Until && r.in.Until > 0:
		r.wrong(path, "got %s, want a time of the run, from 0s to %s", e.at, r.in.Until)
	}
}

// subject reads what an expectation looks at, and says it in words.
func (r *reader) subject(path string, x *expectationSpec) (subject, string) {
	given := 0
	for _, is := range []bool{x.GangJob != "", x.Count != nil, x.Usage != nil, x.Summary != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		r.wrong(path, "got %d of gangJob, count, usage and summary, want exactly one", given)
		return nil, ""
	}
	checks, words := r.gangChecks(path, x)
	switch {
	case x.GangJob != "":
		return r.gangSubject(path, x.GangJob, checks, words)
	case len(checks) > 0:
		r.wrong(path, "phase, reason, message, nodes, ranks, within, preemptions, restarts and estimatedStart go with gangJob")
		return nil, ""
	case x.Count != nil:
		return r.countSubject(path+".count", x.Count)
	case x.Usage != nil:
		return r.usageSubject(path+".usage", x.Usage)
	default:
		return r.summarySubject(path, x)
	}
}

func (r *reader) gangSubject(path, id string, checks []gangCheck, words []string) (subject, string) {
	namespace, name, ok := strings.Cut(id, "/")
	if !ok || namespace == "" || name == "" || strings.ContainsAny(strings.TrimSuffix(id, "*"), "*") {
		r.wrong(path+".gangJob", "got %q, want namespace/name or namespace/prefix*", id)
		return nil, ""
	}
	if len(checks) == 0 {
		r.wrong(path, "says nothing of %s; give phase, reason, message, nodes, ranks, within, preemptions, restarts or estimatedStart", id)
		return nil, ""
	}
	prefix, isPrefix := strings.CutSuffix(id, "*")
	return gangSubject{id: prefix, prefix: isPrefix, checks: checks}, id + " " + strings.Join(words, ", ")
}

// gangChecks reads what is expected of a gang.
func (r *reader) gangChecks(path string, x *expectationSpec) (checks []gangCheck, words []string) {
	add := func(c gangCheck, format string, args ...any) {
		checks, words = append(checks, c), append(words, fmt.Sprintf(format, args...))
	}
	if x.Phase != nil {
		add(checkPhase(x.Phase), "phase %s", x.Phase)
	}
	if x.Reason != "" {
		if !slices.Contains(reasons, x.Reason) {
			r.wrong(path+".reason", "unknown reason %q, want one of %s", x.Reason, strings.Join(reasons, ", "))
		}
		add(checkReason(x.Reason), "reason %s", x.Reason)
	}
	if x.Message != "" {
		add(checkMessage(x.Message), "message with %q", x.Message)
	}
	if x.Nodes != nil {
		r.nodeNames(path+".nodes", x.Nodes)
		add(checkNodes(x.Nodes), "on nodes %s", strings.Join(x.Nodes, ","))
	}
	if x.Ranks != nil {
		r.nodeNames(path+".ranks", x.Ranks)
		add(checkRanks(x.Ranks), "with ranks on %s", strings.Join(x.Ranks, ","))
	}
	if w := x.Within; w != nil {
		if w.Label == "" || w.Domains < 1 {
			r.wrong(path+".within", "want a label, and domains of 1 or more")
		}
		add(checkWithin(w.Label, w.Domains), "within %d %s", w.Domains, w.Label)
	}
	if x.Preemptions != nil {
		add(checkNumber("preemptions", x.Preemptions, func(g *gang) int64 { return g.preemptions }), "preemptions %s", x.Preemptions)
	}
	if x.Restarts != nil {
		add(checkNumber("restarts", x.Restarts, func(g *gang) int64 { return g.restarts }), "restarts %s", x.Restarts)
	}
	if s := x.EstimatedStart; s != nil {
		if s.NotAfter == nil {
			r.wrong(path+".estimatedStart.notAfter", "missing")
			return checks, words
		}
		add(checkStart(s.NotAfter.Duration), "estimated start not after %s", Offset(s.NotAfter.Duration))
	}
	return checks, words
}

func (r *reader) nodeNames(path string, names []string) {
	for i, name := range names {
		if !r.machines[name] {
			r.wrong(fmt.Sprintf("%s[%d]", path, i), "there is no node %q", name)
		}
	}
}

func (r *reader) countSubject(path string, c *countSpec) (subject, string) {
	if c.Phase == nil {
		r.wrong(path+".phase", "missing")
		return nil, ""
	}
	s := countSubject{phases: c.Phase, namespace: c.Namespace, want: bounds{wholeNumber(c.Is), wholeNumber(c.Min), wholeNumber(c.Max)}}
	if s.want == (bounds{}) {
		r.wrong(path, "want at least one of is, min and max")
		return nil, ""
	}
	where := ""
	if c.Namespace != "" {
		where = " in " + c.Namespace
	}
	return s, fmt.Sprintf("count of %s%s %s", c.Phase, where, &s.want)
}

func wholeNumber(n *int64) *float64 {
	if n == nil {
		return nil
	}
	v := float64(*n)
	return &v
}

func (r *reader) usageSubject(path string, u *usageSpec) (subject, string) {
	if r.objects[objectKey{"Team", "", u.Team}] == nil {
		r.wrong(path+".team", "this file has no Team %q", u.Team)
	}
	if r.objects[objectKey{"TopologyDomain", "", u.Pool}] == nil {
		r.wrong(path+".pool", "this file has no TopologyDomain %q", u.Pool)
	}
	if u.Resource == "" {
		r.wrong(path+".resource", "missing")
	}
	s := usageSubject{team: u.Team, pool: u.Pool, resource: u.Resource}
	var words []string
	for _, b := range []struct {
		word  string
		given *resource.Quantity
		into  **int64
	}{{"", u.Is, &s.is}, {"at least ", u.Min, &s.min}, {"at most ", u.Max, &s.max}} {
		if b.given != nil {
			milli := translate.Milli(*b.given)
			*b.into = &milli
			words = append(words, b.word+b.given.String())
		}
	}
	if len(words) == 0 {
		r.wrong(path, "want at least one of is, min and max")
		return nil, ""
	}
	return s, fmt.Sprintf("usage of %s, %s in %s, %s", u.Team, u.Resource, u.Pool, strings.Join(words, " and "))
}

func (r *reader) summarySubject(path string, x *expectationSpec) (subject, string) {
	if x.At == nil {
		r.wrong(path, "summary goes with at")
	}
	s := x.Summary
	var words []string
	for _, b := range []struct {
		name string
		want *bounds
	}{
		{"preemptions", s.Preemptions}, {"lostGPUHours", s.LostGPUHours}, {"utilization", s.Utilization}, {"fragmentation", s.Fragmentation},
	} {
		if b.want != nil {
			words = append(words, b.name+" "+b.want.String())
		}
	}
	if len(words) == 0 {
		r.wrong(path+".summary", "want preemptions, lostGPUHours, utilization or fragmentation")
		return nil, ""
	}
	return summarySubject(*s), "summary " + strings.Join(words, ", ")
}
