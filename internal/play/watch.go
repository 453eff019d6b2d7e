package play

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/translate"
)

// change is a version of a GangJob, or its end.
type change struct {
	job     *v1alpha1.GangJob
	deleted bool
}

// watch tells every version of every GangJob, in the order in which they were written.
func (p *performance) watch(ctx context.Context) (<-chan change, error) {
	var none v1alpha1.GangJobList
	if err := p.api.List(ctx, &none); err != nil {
		return nil, err
	}
	out := make(chan change, 4096)
	w, err := p.watchFrom(ctx, none.ResourceVersion)
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(out)
		version := none.ResourceVersion
		for ctx.Err() == nil {
			for e := range w.ResultChan() {
				if job, ok := e.Object.(*v1alpha1.GangJob); ok {
					version = job.ResourceVersion
					out <- change{job, e.Type == watch.Deleted}
				}
			}
			// The API server ends watches now and then.
			if w, err = p.watchFrom(ctx, version); err != nil {
				return
			}
		}
	}()
	return out, nil
}

func (p *performance) watchFrom(ctx context.Context, version string) (watch.Interface, error) {
	opts := &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: version}}
	return p.api.Watch(ctx, &v1alpha1.GangJobList{}, opts)
}

// see takes in a version of a GangJob.
func (p *performance) see(ctx context.Context, c change) error {
	id := translate.GangID(c.job.Namespace, c.job.Name)
	a := p.gangs[id]
	if a == nil || a.uid != "" && a.uid != c.job.UID {
		return nil // deleted by an event
	}
	a.uid = c.job.UID
	p.ids[c.job.UID] = id
	if c.deleted {
		delete(p.gangs, id)
		return nil
	}
	now := p.look(c.job)
	if now.berth != nil {
		a.attempt = int32(now.berth.Attempt)
	}
	for _, s := range p.between(id, a.seen, now, c.job) {
		if err := p.take(ctx, a, s, now); err != nil {
			return err
		}
	}
	a.seen = now
	return p.lead(ctx, a, c.job)
}

// look is what a GangJob's status shows.
func (p *performance) look(job *v1alpha1.GangJob) look {
	g := translate.Gang(job, translate.Owner{}, func(uid string) string { return p.ids[types.UID(uid)] })
	l := look{berth: g.Berth, runs: job.Status.History != nil && job.Status.History.StartTime != nil}
	if l.berth != nil && l.berth.Leaving != nil && ownCause(job) {
		l.berth.Leaving = nil
	}
	return l
}

// ownCause tells whether a gang leaves for a reason that the simulator does not call an eviction.
func ownCause(job *v1alpha1.GangJob) bool {
	switch job.Status.Preemption.Rule {
	case v1alpha1.RuleMaxRuntime, v1alpha1.RuleRestart:
		return true
	default:
		return false
	}
}

// between tells what lies between two looks, the end of the gang included.
func (p *performance) between(id string, before, now look, job *v1alpha1.GangJob) []Step {
	a := p.gangs[id]
	last := a.job
	a.job = job
	switch {
	case !job.Status.Phase.Finished():
		return steps(id, before, now)
	case last == nil || !last.Status.Phase.Finished():
		return []Step{{Gang: id, What: What(job.Status.Phase)}}
	default:
		return nil
	}
}

// take notes a step, with the nodes that the pods are on.
func (p *performance) take(ctx context.Context, a *actor, s Step, now look) error {
	s.At = p.now
	switch s.What {
	case Started:
		a.program.start(p.now)
		nodes, err := p.nodesOf(ctx, a)
		if err != nil {
			return err
		}
		s.Where = nodes
	case Told:
		a.program.tell(p.now)
	case Spared:
		a.program.spare()
	case Left, Succeeded, Failed:
		a.program.leave(p.now)
	case Grown:
		p.resizing[s.Gang] = true
	case Shrinks:
		a.surplus = &surplus{at: p.now + a.program.takes(), keep: map[string]int{}}
		for _, r := range now.berth.Leaving.Keep.Roles {
			a.surplus.keep[r.Role] = len(r.Nodes)
		}
	default: // no pod is in it
	}
	p.done = append(p.done, s)
	p.count[s.Gang]++
	fmt.Fprintf(p.opts.Out, "%-8s %-20s %s\n", s.At, s.Gang, s)
	return nil
}

// lead makes pods stop at once that nothing keeps: those of a gang whose time is over, or that ended.
func (p *performance) lead(ctx context.Context, a *actor, job *v1alpha1.GangJob) error {
	leaving := job.Status.Preemption
	switch {
	case leaving != nil && leaving.Rule != a.rule:
		a.rule = leaving.Rule
		if ownCause(job) {
			return p.stop(ctx, a, nil)
		}
		if leaving.Rule == engine.ByFault.String() {
			a.program.tell(p.now) // of a cordon; where a node failed it has stopped
		}
	case leaving == nil:
		a.rule = ""
	}
	if job.Status.Phase.Finished() {
		return p.stop(ctx, a, nil)
	}
	return nil
}
