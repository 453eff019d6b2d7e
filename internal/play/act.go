package play

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/simulate"
)

// apply lets the events of one instant happen: what is submitted is made ready behind a gate first, so that all of it can
// happen within the manager's batch window.
func (p *performance) apply(ctx context.Context, events []simulate.Event) error {
	if len(events) == 0 {
		return nil
	}
	for _, e := range events {
		if s, ok := e.Action.(simulate.Submit); ok {
			if err := p.submit(ctx, s); err != nil {
				return fmt.Errorf("submitting to %s: %w", s.Namespace, err)
			}
		}
	}
	// What happens at one instant bears one time: the API's times are whole seconds.
	now := time.Now()
	if err := p.until(ctx, now.Truncate(time.Second).Add(time.Second), nil); err != nil {
		return err
	}
	for _, e := range events {
		if err := p.act(ctx, e); err != nil {
			return fmt.Errorf("the event at %s: %w", e.At, err)
		}
	}
	return nil
}

// act does what an event says.
func (p *performance) act(ctx context.Context, e simulate.Event) error {
	switch e := e.Action.(type) {
	case simulate.Submit:
		return p.open(ctx, e)
	case simulate.Delete:
		return p.remove(ctx, e.ID)
	case simulate.Occupy:
		return p.occupy(ctx, e)
	case simulate.Vacate:
		return p.vacate(ctx, e.Name)
	case simulate.Fail:
		return p.fail(ctx, e.Node)
	case simulate.Cordon:
		return p.setUnschedulable(ctx, e.Node, true)
	case simulate.Recover:
		if err := p.setUnschedulable(ctx, e.Node, false); err != nil {
			return err
		}
		return p.Cluster.RecoverNode(ctx, e.Node)
	case simulate.PatchTeam:
		team := &v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: e.Team.Name}}
		return p.edit(ctx, team, func() { team.Spec = *e.Team.Spec.DeepCopy() })
	case simulate.PatchQuota:
		quota := &v1alpha1.Quota{ObjectMeta: metav1.ObjectMeta{Name: e.Quota.Name}}
		return p.edit(ctx, quota, func() { quota.Spec = p.speed.quota(e.Quota).Spec })
	case simulate.PatchDomain:
		if e.Pool == nil {
			return p.cordonDomain(ctx, e.Domain)
		}
		pool := &v1alpha1.TopologyDomain{ObjectMeta: metav1.ObjectMeta{Name: e.Name}}
		return p.edit(ctx, pool, func() { pool.Spec = *e.Domain.Spec.DeepCopy() })
	case simulate.PatchJob:
		job := gangJob(e.ID)
		return p.edit(ctx, job, func() { job.Spec = p.speed.job(e.Job.Spec) })
	default:
		return fmt.Errorf("the player does not know events of type %T", e)
	}
}
