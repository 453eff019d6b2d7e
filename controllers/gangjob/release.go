package gangjob

import (
	"context"
	"fmt"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/events"
	"github.com/berth-dev/berth/internal/gang"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// restore writes down the berth of a gang whose status was lost while its pods run.
func (r *Reconciler) restore(_ context.Context, s *scope) error {
	if s.job.Status.Berth != nil || s.job.Status.Phase.Finished() {
		return nil
	}
	key := client.ObjectKeyFromObject(s.job)
	if b := r.State.Berth(key); b != nil && r.State.Rebuilt(key) {
		ledger.Rebuild(s.next, r.State.TeamOf(s.job.Namespace), b, s.now)
		s.done = true
	}
	return nil
}

// release lets the Jobs of a reservation go, once that stands; and gives the Jobs of an occupied berth the size of its
// slot.
func (r *Reconciler) release(ctx context.Context, s *scope) error {
	b := s.job.Status.Berth
	if b == nil || b.State != v1alpha1.BerthReserved && b.State != v1alpha1.BerthOccupied {
		s.done = true
		return nil
	}
	if len(s.current()) < len(s.job.Spec.Roles) {
		return r.missing(s)
	}
	if b.State == v1alpha1.BerthOccupied {
		return r.resize(ctx, s)
	}
	key := client.ObjectKeyFromObject(s.job)
	switch r.State.Reservation(key, int(b.Attempt)) {
	case state.Unseen:
		s.done = true // the cache calls when it has seen it
		return nil
	case state.Clashes:
		r.withdraw(s)
		return nil
	case state.Stands:
	}
	return r.letGo(ctx, s)
}

// withdraw gives a slot back that another gang has as well. Where a Job was let go already, its pods must leave first.
func (r *Reconciler) withdraw(s *scope) {
	s.done = true
	const why = "its slot was given to another gang at the same time"
	for _, j := range s.current() {
		if !ptr.Deref(j.Spec.Suspend, false) {
			ledger.Notice(s.next, "", engine.ByFault.String(), why, s.now, r.deadline(s))
			return
		}
	}
	ledger.Withdraw(s.next, why)
	s.events = append(s.events, events.Withdrawn())
}

// letGo unsuspends the Jobs that still are, with one patch each.
func (r *Reconciler) letGo(ctx context.Context, s *scope) error {
	slot, err := translate.Slot(s.job.Status.Assignment)
	if err != nil {
		return err
	}
	where := gang.Where{}
	where.Label, where.Values = r.State.DomainLabel(slot)
	if p := r.State.Pool(slot.Pool); p != nil {
		where.Pool = p.Spec.NodeSelector
	}
	key := client.ObjectKeyFromObject(s.job)
	released := false
	for i := range s.job.Spec.Roles {
		role := &s.job.Spec.Roles[i]
		j := s.current()[role.Name]
		if !ptr.Deref(j.Spec.Suspend, false) || !r.memory.release(key, j.UID, s.now) {
			continue
		}
		at := where
		at.Pods = podsOf(slot, role)
		if role.MinReplicas != nil && *role.MinReplicas < role.Replicas {
			at.Values = nil // it may grow beyond the slot's domain, and the template of a Job that runs stays as it is
		}
		next := j.DeepCopy()
		gang.Release(next, at, !role.InSlot())
		if err := r.Client.Patch(ctx, next, client.MergeFrom(j)); err != nil {
			r.memory.unrelease(key, j.UID)
			return fmt.Errorf("releasing Job %s: %w", j.Name, err)
		}
		released = true
	}
	if released {
		s.events = append(s.events, events.Admitted(s.job))
	}
	return nil
}

// missing deals with Jobs that are not there: just made if the reservation is new, else deleted by somebody, which ends
// the attempt.
func (r *Reconciler) missing(s *scope) error {
	s.done = true
	if s.job.Status.Berth.State == v1alpha1.BerthOccupied {
		ledger.Notice(s.next, "", v1alpha1.RuleRestart, "a Job of the gang was deleted", s.now, s.now)
	}
	return nil
}
