package baseline

import (
	"slices"
	"strconv"

	"github.com/berth-dev/berth/internal/engine"
)

// selected reports whether a selector holds for the node.
func (n *Node) selected(s engine.Selector) bool {
	return len(s) == 0 || slices.ContainsFunc(s, func(term engine.Term) bool {
		return len(term) > 0 && !slices.ContainsFunc(term, func(r engine.Requirement) bool { return !n.meets(r) })
	})
}

func (n *Node) meets(r engine.Requirement) bool {
	value, has := n.Labels[r.Key]
	if r.Key == engine.NameKey {
		value, has = n.Name, true
	}
	switch r.Operator {
	case engine.In:
		return has && slices.Contains(r.Values, value)
	case engine.NotIn:
		return !has || !slices.Contains(r.Values, value)
	case engine.Exists:
		return has
	case engine.DoesNotExist:
		return !has
	case engine.Gt, engine.Lt:
		if !has || len(r.Values) != 1 {
			return false
		}
		have, err := strconv.ParseInt(value, 10, 64)
		bound, boundErr := strconv.ParseInt(r.Values[0], 10, 64)
		return err == nil && boundErr == nil && (have > bound) == (r.Operator == engine.Gt) && have != bound
	default:
		return false
	}
}

// tolerated reports whether the tolerations cover every taint that keeps pods away.
func (n *Node) tolerated(tolerations []engine.Toleration) bool {
	for _, taint := range n.Taints {
		if taint.Effect == "PreferNoSchedule" {
			continue
		}
		if !slices.ContainsFunc(tolerations, func(t engine.Toleration) bool { return tolerates(t, taint) }) {
			return false
		}
	}
	return true
}

func tolerates(t engine.Toleration, taint engine.Taint) bool {
	if t.Effect != "" && t.Effect != taint.Effect || t.Key != "" && t.Key != taint.Key {
		return false
	}
	if t.Operator == "Exists" {
		return true
	}
	return t.Key != "" && t.Value == taint.Value
}
