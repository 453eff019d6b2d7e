package manifest

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// value returns a tree as JSON would have it.
func value(n *yaml.Node) (any, Mistakes) {
	d := &decoder{}
	v := d.value(n, "", 0)
	return v, d.mistakes
}

func (d *decoder) value(n *yaml.Node, path string, depth int) any {
	n = follow(n)
	if !d.bounded(n, path, depth) {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		list, repeated := entries(n)
		d.repeated(repeated, path)
		m := make(map[string]any, len(list))
		for _, e := range list {
			m[e.key] = d.value(e.node, join(path, e.key), depth+1)
		}
		return m
	case yaml.SequenceNode:
		s := make([]any, len(n.Content))
		for i, c := range n.Content {
			s[i] = d.value(c, fmt.Sprintf("%s[%d]", path, i), depth+1)
		}
		return s
	}
	v := scalar(n)
	switch v := v.(type) {
	case unreadable:
		d.fail(n, path, "%s cannot be written as JSON", describe(n))
		return nil
	case int:
		return int64(v)
	default:
		return v
	}
}
