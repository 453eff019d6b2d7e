package simulate

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// Job is a GangJob that gangs are made of. Many gangs may share one.
type Job struct {
	Spec *v1alpha1.GangJobSpec
	// known is what Spec is to the engine for one owner, kept because gangs come by the thousand.
	known   engine.Gang
	knownOf translate.Owner
}

// gang is what the engine is to be told of a gang of a team, its name and records left out.
func (j *Job) gang(team string, owners owners) engine.Gang {
	var o translate.Owner
	if entry := owners.teams[team]; entry != nil {
		o = entry.Owner
	}
	if j.known.Roles == nil || j.knownOf != o {
		j.known, j.knownOf = translate.Gang(&v1alpha1.GangJob{Spec: *j.Spec}, o, nil), o
		j.known.Grace = int64(graceOf(j.Spec))
	}
	return j.known
}

// graceOf is for how long a gang's program may hold its nodes after a signal: its grace period where a checkpoint is asked
// of it, else its pods' own.
func graceOf(spec *v1alpha1.GangJobSpec) time.Duration {
	if spec.Checkpoint != nil {
		return translate.GracePeriod(spec.Checkpoint)
	}
	return translate.TerminationGrace(spec)
}

// respec makes anew what the engine is told of a gang's wishes. Its records stay, and while it holds a berth so does its
// team.
func (r *run) respec(g *gang) {
	team := r.owners.of(g.namespace)
	if g.Berth != nil {
		team = g.Team
	}
	fresh := g.job.gang(team, r.owners)
	old := g.Gang
	fresh.ID, fresh.Team = old.ID, team
	fresh.Queued, fresh.NotBefore, fresh.FreeOnly, fresh.Ran = old.Queued, old.NotBefore, old.FreeOnly, old.Ran
	fresh.Evictions, fresh.Heading, fresh.HeadSince = old.Evictions, old.Heading, old.HeadSince
	fresh.LastCheckpoint, fresh.Published, fresh.PromiseRefused = old.LastCheckpoint, old.Published, old.PromiseRefused
	fresh.LastMove, fresh.MoveRefused, fresh.Berth, fresh.Next = old.LastMove, old.MoveRefused, old.Berth, old.Next
	g.Gang = fresh
}

// changedFrozen names the first field that is frozen while a gang holds a berth and that differs between two versions.
func changedFrozen(a, b *Job) string {
	switch {
	case a.Spec.Pool != b.Spec.Pool:
		return "pool"
	case !equality.Semantic.DeepEqual(a.Spec.Topology, b.Spec.Topology):
		return "topology"
	case !equality.Semantic.DeepEqual(a.Spec.Roles, b.Spec.Roles):
		return "roles"
	default:
		return ""
	}
}

// retell tells another scheduler everything that is known at this instant.
func (r *run) retell(s Scheduler) {
	for _, name := range sortedKeys(r.pools) {
		s.SetPool(r.pools[name])
		s.SetCordons(name, r.cordons[name])
	}
	for _, m := range r.ledger.order {
		s.SetNode(m.Node)
	}
	for _, name := range r.owners.order {
		s.SetTeam(translate.Team(r.owners.teams[name].Team))
	}
	for _, name := range sortedKeys(r.owners.teams) {
		if q := r.owners.teams[name].Quota; q != nil {
			s.SetQuota(translate.Quota(q))
		}
	}
	for _, name := range sortedKeys(r.foreign) {
		s.SetForeign(engine.Foreign{Name: name, Node: r.foreign[name].node, Requests: r.foreign[name].requests})
	}
	for _, g := range r.all {
		if g != nil && !g.over() && g.phase != deleted {
			s.SetGang(g.Gang)
		}
	}
}
