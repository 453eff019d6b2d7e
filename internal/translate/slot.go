package translate

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/assignment"
	"github.com/berth-dev/berth/internal/engine"
)

// Slot reads the slot that an assignment holds. One that only a hand can have written is an error.
func Slot(a *v1alpha1.Assignment) (engine.Slot, error) {
	slot := engine.Slot{Pool: a.Pool, Level: a.Level}
	if a.Level == v1alpha1.LevelPool {
		slot.Level = ""
	}
	if a.Domain != "" {
		slot.Domain = strings.Split(a.Domain, "/")
	}
	for _, role := range a.Roles {
		nodes, err := assignment.Ranks(role)
		if err != nil {
			return engine.Slot{}, fmt.Errorf("reading the assignment: %w", err)
		}
		slot.Roles = append(slot.Roles, engine.RoleSlot{Role: role.Name, Nodes: nodes})
	}
	return slot, nil
}

// Assignment writes a slot down.
func Assignment(slot engine.Slot) *v1alpha1.Assignment {
	a := &v1alpha1.Assignment{Pool: slot.Pool, Level: slot.Level, Domain: strings.Join(slot.Domain, "/")}
	if slot.Level == "" {
		a.Level = v1alpha1.LevelPool
	}
	for _, role := range slot.Roles {
		a.Roles = append(a.Roles, assignment.FromRanks(role.Role, role.Nodes))
	}
	return a
}
