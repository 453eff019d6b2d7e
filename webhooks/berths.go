package webhooks

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
)

// Assignments tells where the ranks of gangs belong.
type Assignments interface {
	// Known is the gang's berth as far as this replica has seen. It answers from memory.
	Known(uid types.UID) (*Berth, bool)
	// Live reads the gang from the API server. A gang that is gone, or another one by now, has no berth.
	Live(ctx context.Context, name types.NamespacedName, uid types.UID) (*Berth, error)
}

// Berth is where the ranks of one attempt of a gang belong.
type Berth struct {
	// Attempt is the attempt, from 1.
	Attempt int32
	// Pool and Domain are the slot's.
	Pool, Domain string
	// Roles are the roles in the slot.
	Roles map[string]RoleRanks
	// Free are the roles that kube-scheduler places.
	Free map[string]bool
}

// RoleRanks is where the ranks of a role belong.
type RoleRanks struct {
	// First is the number, among all ranks of the gang, of the role's rank 0.
	First int
	// Nodes are the nodes, rank 0 first.
	Nodes []string
}

// berthOf is a gang's berth, nil where its pods may not start: it has none, or one that is planned or promised only.
func berthOf(g *v1alpha1.GangJob) (*Berth, error) {
	held := g.Status.Berth
	if held == nil || held.State != v1alpha1.BerthReserved && held.State != v1alpha1.BerthOccupied {
		return nil, nil
	}
	nodes, err := assignment.ByRole(g.Status.Assignment)
	if err != nil {
		return nil, fmt.Errorf("reading status.assignment of gang %s/%s: %w", g.Namespace, g.Name, err)
	}
	b := &Berth{
		Attempt: held.Attempt, Pool: g.Status.Assignment.Pool, Domain: g.Status.Assignment.Domain,
		Roles: map[string]RoleRanks{}, Free: map[string]bool{},
	}
	first := 0
	for i := range g.Spec.Roles {
		role := &g.Spec.Roles[i]
		if !role.InSlot() {
			b.Free[role.Name] = true
			continue
		}
		b.Roles[role.Name] = RoleRanks{First: first, Nodes: nodes[role.Name]}
		first += len(nodes[role.Name])
	}
	return b, nil
}
