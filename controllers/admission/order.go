package admission

import (
	"errors"

	"github.com/berth-dev/berth/internal/engine"
)

// errGone: the gang was deleted since it was decided about.
var errGone = errors.New("the gang is gone")

// order is everything that a pass decided about one gang.
type order struct {
	gang      string
	decisions []engine.Decision
}

// inOrder sorts decisions by gang, in the order in which the gangs were first decided about.
func inOrder(decisions []engine.Decision) []*order {
	var orders []*order
	byGang := map[string]*order{}
	for _, d := range decisions {
		o := byGang[d.Gang]
		if o == nil {
			o = &order{gang: d.Gang}
			byGang[d.Gang] = o
			orders = append(orders, o)
		}
		o.decisions = append(o.decisions, d)
	}
	return orders
}

// plans tells whether others leave for the gang.
func (o *order) plans() bool {
	for _, d := range o.decisions {
		if d.Kind == engine.Plan {
			return true
		}
	}
	return false
}

// serves tells whether the gang leaves, or changes, for one of those whose plan was dropped.
func (o *order) serves(dropped map[string]bool) bool {
	for _, d := range o.decisions {
		if d.For != "" && dropped[d.For] {
			return true
		}
	}
	return false
}
