package manifest

import (
	"fmt"
	"math"
	"slices"

	"go.yaml.in/yaml/v3"
)

var (
	yaml11True  = []string{"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}
	yaml11False = []string{"n", "N", "no", "No", "NO", "off", "Off", "OFF"}
)

// unreadable is the value of a scalar that JSON cannot express.
type unreadable struct{}

// scalar returns what a scalar means to Kubernetes: a string, an int, int64, uint64, float64, bool or nil.
func scalar(n *yaml.Node) any {
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		var v any
		if err := n.Decode(&v); err != nil {
			return unreadable{}
		}
		if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
			return unreadable{}
		}
		return v
	case "!!str":
		if plain && n.Style&yaml.TaggedStyle == 0 {
			switch {
			case slices.Contains(yaml11True, n.Value):
				return true
			case slices.Contains(yaml11False, n.Value):
				return false
			}
		}
	}
	return n.Value
}

func isNull(n *yaml.Node) bool {
	n = follow(n)
	return n.Kind == yaml.ScalarNode && scalar(n) == nil
}

// follow resolves an alias.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// describe says what a node is, for messages.
func describe(n *yaml.Node) string {
	n = follow(n)
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch v := scalar(n).(type) {
	case nil:
		return "nothing"
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case unreadable:
		return fmt.Sprintf("the value %q", n.Value)
	default:
		return fmt.Sprintf("the number %v", v)
	}
}
