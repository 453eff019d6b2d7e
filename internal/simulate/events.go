package simulate

import (
	"fmt"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

// Event is one entry of a timeline.
type Event struct {
	At     time.Duration
	Action action
}

// action is what an event does to a run.
type action interface{ apply(r *run) }

// Submit creates gangs of one kind.
type Submit struct {
	Job       *Job
	Namespace string
	// Names has the names of the gangs.
	Names   []string
	Program Program
}

// Lazy is a submission that is made when its time comes, so that a million of them need not be held at once.
type Lazy func() Submit

func (e Lazy) apply(r *run) { e().apply(r) }

func (e Submit) apply(r *run) {
	for _, name := range e.Names {
		g := &gang{
			namespace: e.Namespace, order: len(r.all), job: e.Job, program: e.Program, submitted: r.now, phase: Pending,
		}
		team := r.owners.of(e.Namespace)
		g.Gang = e.Job.gang(team, r.owners)
		g.ID, g.Team, g.Queued = e.Namespace+"/"+name, team, r.now
		r.gangs[g.ID] = g
		r.all, r.lines = append(r.all, g), append(r.lines, GangLine{})
		r.counts.enter(g)
		r.touch(g)
		r.log.add(r.now, g.ID, "Submitted", "")
	}
}

// Delete removes a gang; its pods go with it.
type Delete struct{ ID string }

func (e Delete) apply(r *run) {
	g, known := r.gangs[e.ID]
	if !known {
		return
	}
	if !g.over() {
		r.vacate(g, g.work.saved(g.program, r.now))
		g.stay++
		g.finished = r.now
		r.s.RemoveGang(g.ID)
	}
	r.counts.leave(g)
	g.phase, g.Berth, g.Next = deleted, nil, nil
	delete(r.gangs, e.ID)
	r.log.add(r.now, g.ID, "Deleted", "")
}

// foreignPod is a pod that Berth does not manage.
type foreignPod struct {
	node     string
	requests engine.Amounts
}

// Occupy puts a pod that Berth does not manage on a node.
type Occupy struct {
	Node, Name string
	Requests   engine.Amounts
}

func (e Occupy) apply(r *run) {
	Vacate{e.Name}.apply(r)
	m := r.ledger.nodes[e.Node]
	r.foreign[e.Name] = &foreignPod{node: e.Node, requests: e.Requests}
	r.ledger.take(m, e.Requests, 1)
	r.s.SetForeign(engine.Foreign{Name: e.Name, Node: e.Node, Requests: e.Requests})
	r.log.add(r.now, e.Name, "Occupies", e.Node)
}

// Vacate removes such a pod.
type Vacate struct{ Name string }

func (e Vacate) apply(r *run) {
	pod, known := r.foreign[e.Name]
	if !known {
		return
	}
	delete(r.foreign, e.Name)
	r.ledger.take(r.ledger.nodes[pod.node], pod.requests, -1)
	r.s.RemoveForeign(e.Name)
	r.log.add(r.now, e.Name, "Vacates", pod.node)
}

// Fail makes a node NotReady; what is on it is lost.
type Fail struct{ Node string }

func (e Fail) apply(r *run) {
	m := r.ledger.nodes[e.Node]
	r.ledger.setReady(m, false, r.now)
	r.s.SetNode(m.Node)
	r.log.add(r.now, e.Node, "Failed", "")
	for _, g := range m.on() {
		r.strike(g)
	}
	for _, name := range sortedKeys(r.foreign) {
		if r.foreign[name].node == e.Node {
			Vacate{name}.apply(r)
		}
	}
}

// Cordon lets a node take no new pods.
type Cordon struct{ Node string }

func (e Cordon) apply(r *run) {
	m := r.ledger.nodes[e.Node]
	m.Cordoned = true
	r.s.SetNode(m.Node)
	r.log.add(r.now, e.Node, "Cordoned", "")
}

// Recover makes a node Ready and uncordoned.
type Recover struct{ Node string }

func (e Recover) apply(r *run) {
	m := r.ledger.nodes[e.Node]
	m.Cordoned, m.NotReadySince = false, 0
	r.ledger.setReady(m, true, r.now)
	r.s.SetNode(m.Node)
	r.log.add(r.now, e.Node, "Recovered", "")
}

// PatchTeam replaces a Team.
type PatchTeam struct{ Team *v1alpha1.Team }

func (e PatchTeam) apply(r *run) {
	r.setTeam(e.Team)
	r.log.add(r.now, e.Team.Name, "Patched", "Team")
}

// PatchQuota replaces a Quota.
type PatchQuota struct{ Quota *v1alpha1.Quota }

func (e PatchQuota) apply(r *run) {
	r.setQuota(e.Quota)
	r.log.add(r.now, e.Quota.Name, "Patched", "Quota")
}

// PatchDomain replaces a TopologyDomain: a pool, or a domain of one, of which only the cordon can change.
type PatchDomain struct {
	Name string
	// Domain is the manifest as it is from now on.
	Domain *v1alpha1.TopologyDomain
	// Pool is the pool as it is from now on; nil: it stays.
	Pool *engine.Pool
	// Of is the pool whose cordons are Cordons from now on.
	Of      string
	Cordons [][]string
}

func (e PatchDomain) apply(r *run) {
	if e.Pool != nil {
		r.setPool(*e.Pool)
	}
	r.setCordons(e.Of, e.Cordons)
	r.log.add(r.now, e.Name, "Patched", "TopologyDomain")
}

// PatchJob replaces a submitted GangJob.
type PatchJob struct {
	ID  string
	Job *Job
}

func (e PatchJob) apply(r *run) {
	g, known := r.gangs[e.ID]
	if !known || g.over() {
		return
	}
	if frozen := changedFrozen(g.job, e.Job); frozen != "" && g.Berth != nil {
		r.fail(0, fmt.Sprintf("at %s the patch of %s is refused: spec.%s is frozen while the gang holds a berth",
			since(r.now), e.ID, frozen))
		return
	}
	before := g.Gang
	requeue := changedFrozen(g.job, e.Job) != ""
	g.job = e.Job
	r.respec(g)
	if (before.Held && !g.Held) || requeue || before.Tier != g.Tier {
		g.Queued, g.Heading, g.HeadSince = r.now, 0, 0
	}
	r.touch(g)
	r.log.add(r.now, g.ID, "Patched", "")
}
