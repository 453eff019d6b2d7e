package topology

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/presets"
)

// gather returns the domains of a pool that are there, by name.
func (r *Reconciler) gather(ctx context.Context, pool *v1alpha1.TopologyDomain) (map[string]*v1alpha1.TopologyDomain, error) {
	var list v1alpha1.TopologyDomainList
	if err := r.Client.List(ctx, &list, client.MatchingLabels{v1alpha1.LabelPool: pool.Name}); err != nil {
		return nil, fmt.Errorf("listing the domains of pool %s: %w", pool.Name, err)
	}
	out := map[string]*v1alpha1.TopologyDomain{}
	for i := range list.Items {
		if d := &list.Items[i]; metav1.IsControlledBy(d, pool) {
			out[d.Name] = d
		}
	}
	return out, nil
}

// draw makes the domains that are missing and says how each is. Nodes have no objects here: kubectl get nodes shows them.
// A domain whose name somebody else has taken is the user's to free, and keeps none of the others back.
func (r *Reconciler) draw(ctx context.Context, s *scope) error {
	for _, v := range s.views {
		if v.Level == "" || v.Level == engine.NodeLevel || v.Unlabelled {
			continue
		}
		name := NameOf(s.pool.Name, v.Path)
		found := s.drawn[name]
		delete(s.drawn, name)
		if found == nil {
			found = domain(s.pool, name, v)
			err := r.Client.Create(ctx, found)
			if apierrors.IsAlreadyExists(err) {
				if err = r.recognize(ctx, s, name); err == nil {
					continue
				}
			}
			if err != nil {
				return fmt.Errorf("creating TopologyDomain %s: %w", name, err)
			}
		}
		if err := r.write(ctx, s, found, func(next *v1alpha1.TopologyDomain) { describe(next, s.pool, v) }); err != nil {
			return err
		}
	}
	return nil
}

// recognize notes an object that has a domain's name if it is in the domain's way: not the domain itself, made a moment ago,
// and not one of a pool of the same name that is gone, which will be gone soon.
func (r *Reconciler) recognize(ctx context.Context, s *scope, name string) error {
	found := &v1alpha1.TopologyDomain{}
	if err := r.Client.Get(ctx, client.ObjectKey{Name: name}, found); err != nil {
		return client.IgnoreNotFound(err)
	}
	if owner := metav1.GetControllerOf(found); owner == nil || owner.Kind != "TopologyDomain" || owner.Name != s.pool.Name {
		s.inTheWay = append(s.inTheWay, name)
	}
	return nil
}

// erase removes domains of which no node is left. One that somebody has cordoned is kept, empty, as long as the pool has
// its level: its nodes may come back, and must not come back into use.
func (r *Reconciler) erase(ctx context.Context, s *scope) error {
	levels := presets.Levels(s.pool)
	for _, name := range slices.Sorted(maps.Keys(s.drawn)) {
		d := s.drawn[name]
		if d.DeletionTimestamp != nil {
			continue
		}
		if depth := len(d.Spec.Path); d.Spec.Cordoned && depth > 0 && depth <= len(levels) && levels[depth-1].Name == d.Spec.Level {
			empty := engine.DomainView{Level: d.Spec.Level, Path: d.Spec.Path, Cordoned: true}
			if err := r.write(ctx, s, d, func(next *v1alpha1.TopologyDomain) { describe(next, s.pool, empty) }); err != nil {
				return err
			}
			continue
		}
		if err := r.Client.Delete(ctx, d, client.Preconditions{UID: &d.UID, ResourceVersion: &d.ResourceVersion}); err != nil &&
			!patch.Outdated(err) {
			return fmt.Errorf("deleting TopologyDomain %s: %w", name, err)
		}
	}
	return nil
}

// sum says how the pool is.
func (r *Reconciler) sum(ctx context.Context, s *scope) error {
	return r.write(ctx, s, s.pool, func(next *v1alpha1.TopologyDomain) {
		describe(next, s.pool, s.views[0])
		judge(next, s)
	})
}

// write writes a status that has changed, now or, if it was written a moment ago, later.
func (r *Reconciler) write(ctx context.Context, s *scope, d *v1alpha1.TopologyDomain, change func(*v1alpha1.TopologyDomain)) error {
	next := d.DeepCopy()
	change(next)
	if equality.Semantic.DeepEqual(d.Status, next.Status) {
		return nil
	}
	if wait := r.Pace.Wait(d.UID, r.Clock.Now()); wait > 0 {
		s.within(wait)
		return nil
	}
	if err := r.Client.Status().Patch(ctx, next, client.MergeFrom(d)); err != nil && !patch.Outdated(err) {
		return fmt.Errorf("writing the status of TopologyDomain %s: %w", d.Name, err)
	}
	return nil
}
