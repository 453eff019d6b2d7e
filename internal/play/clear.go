package play

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devmanager"
)

// clear removes what a scenario has left, so that another can be played: gangs and pods while the manager runs, the rest
// after it.
func (s *Stage) clear(ctx context.Context, manager *devmanager.Manager) error {
	var gangs v1alpha1.GangJobList
	if err := s.removeAll(ctx, &gangs); err != nil {
		return err
	}
	if err := s.removeAll(ctx, &corev1.PodList{}, client.GracePeriodSeconds(0)); err != nil {
		return err
	}
	for _, list := range []client.ObjectList{&v1alpha1.QuotaList{}, &v1alpha1.TeamList{}, &v1alpha1.TopologyDomainList{}, &corev1.NodeList{}} {
		if err := s.removeAll(ctx, list); err != nil {
			return err
		}
	}
	return manager.Kill()
}

// removeAll deletes all objects of a kind, those in the namespaces of the system excepted, and waits until they are gone.
func (s *Stage) removeAll(ctx context.Context, list client.ObjectList, opts ...client.DeleteOption) error {
	return s.Cluster.WaitFor(ctx, fmt.Sprintf("%T is empty", list), func(ctx context.Context) (bool, error) {
		if err := s.api.List(ctx, list); err != nil {
			return false, err
		}
		items, err := meta.ExtractList(list)
		if err != nil {
			return false, err
		}
		for _, item := range items {
			o, ok := item.(client.Object)
			if !ok {
				return false, fmt.Errorf("%T is no object", item)
			}
			if o.GetDeletionTimestamp() != nil && len(opts) == 0 {
				continue
			}
			if err := client.IgnoreNotFound(s.api.Delete(ctx, o, opts...)); err != nil {
				return false, fmt.Errorf("deleting %T %s: %w", o, o.GetName(), err)
			}
		}
		return len(items) == 0, nil
	})
}
