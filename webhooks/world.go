package webhooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/validate"
)

// worldSource tells the rules what other objects say.
type worldSource struct {
	// reader answers from the manager's cache, live from the API server.
	reader, live client.Reader
	limits       config.Limits
}

// world is what is known now. The objects in it are the cache's own: they must not be changed.
func (s *worldSource) world(ctx context.Context) (*validate.World, error) {
	var teams v1alpha1.TeamList
	if err := s.reader.List(ctx, &teams, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("listing teams: %w", err)
	}
	pools, err := s.pools(ctx)
	if err != nil {
		return nil, err
	}
	return &validate.World{
		Limits: s.limits, Teams: teams.Items, Pools: pools,
		TeamOf: func(namespace string) *v1alpha1.Team { return teamOf(teams.Items, namespace) },
		ClaimDrivers: func(namespace string, claim corev1.PodResourceClaim) []string {
			return s.claimDrivers(ctx, namespace, claim)
		},
	}, nil
}

// pools are the roots of the TopologyDomains, the oldest first.
func (s *worldSource) pools(ctx context.Context) ([]v1alpha1.TopologyDomain, error) {
	var domains v1alpha1.TopologyDomainList
	if err := s.reader.List(ctx, &domains, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("listing pools: %w", err)
	}
	pools := make([]v1alpha1.TopologyDomain, 0, len(domains.Items))
	for i := range domains.Items {
		if domains.Items[i].IsPool() {
			pools = append(pools, domains.Items[i])
		}
	}
	slices.SortFunc(pools, func(a, b v1alpha1.TopologyDomain) int {
		if d := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return pools, nil
}

// teamOf is the team that has a namespace: the one whose status says so, or, where no status speaks of it yet, one whose
// spec names it.
func teamOf(teams []v1alpha1.Team, namespace string) *v1alpha1.Team {
	for i := range teams {
		if slices.Contains(teams[i].Status.Namespaces, namespace) {
			return &teams[i]
		}
	}
	for i := range teams {
		if slices.Contains(teams[i].Spec.Namespaces, namespace) {
			return &teams[i]
		}
	}
	return nil
}

// refusal makes of mistakes the error that the API server answers with, nil if there are none.
func refusal(kind, name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: v1alpha1.GroupVersion.Group, Kind: kind}, name, errs)
}
