package manifest

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds that no honest manifest meets; aliases can make a short file very large, or endless.
const (
	maxDepth = 100
	maxNodes = 500_000
)

// entry is one field of a map.
type entry struct {
	key  string
	line int
	node *yaml.Node
}

// entries lists a map's fields in order, with those of merged maps (<<) after its own; repeated holds fields given twice.
func entries(n *yaml.Node) (list, repeated []entry) {
	seen := map[string]bool{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merged = append(merged, val)
			continue
		}
		e := entry{key: keyText(key), line: key.Line, node: val}
		if seen[e.key] {
			repeated = append(repeated, e)
			continue
		}
		seen[e.key] = true
		list = append(list, e)
	}
	for _, m := range merged {
		for _, source := range mergeSources(m) {
			for i := 0; i+1 < len(source.Content); i += 2 {
				if key := keyText(source.Content[i]); !seen[key] {
					seen[key] = true
					list = append(list, entry{key: key, line: source.Content[i].Line, node: source.Content[i+1]})
				}
			}
		}
	}
	return list, repeated
}

func mergeSources(n *yaml.Node) []*yaml.Node {
	n = follow(n)
	switch n.Kind {
	case yaml.MappingNode:
		return []*yaml.Node{n}
	case yaml.SequenceNode:
		var out []*yaml.Node
		for _, c := range n.Content {
			if c = follow(c); c.Kind == yaml.MappingNode {
				out = append(out, c)
			}
		}
		return out
	}
	return nil
}

// keyText is a map's key as JSON has it: numbers and booleans become text.
func keyText(n *yaml.Node) string {
	n = follow(n)
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	switch v := scalar(n).(type) {
	case string:
		return v
	case nil, unreadable:
		return n.Value
	default:
		return fmt.Sprint(v)
	}
}

func child(n *yaml.Node, field string) *yaml.Node {
	list, _ := entries(n)
	for _, e := range list {
		if e.key == field {
			return follow(e.node)
		}
	}
	return nil
}

// Line finds the line of a field path such as spec.roles[0].template or metadata.labels[app]; where the path ends in
// something that is not there, the line of the nearest field that is.
func (d Document) Line(path string) int {
	node, line := d.root, d.root.Line
	for _, step := range steps(path) {
		node = follow(node)
		switch node.Kind {
		case yaml.MappingNode:
			list, _ := entries(node)
			at := -1
			for i, e := range list {
				if e.key == step {
					at = i
				}
			}
			if at < 0 {
				return line
			}
			node, line = list[at].node, list[at].line
		case yaml.SequenceNode:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node.Content) {
				return line
			}
			node = node.Content[i]
			line = node.Line
		default:
			return line
		}
	}
	return line
}

// steps splits a path at dots and brackets; what is in brackets may hold dots.
func steps(path string) []string {
	var out []string
	for path != "" {
		if rest, ok := strings.CutPrefix(path, "["); ok {
			key, after, _ := strings.Cut(rest, "]")
			out, path = append(out, key), strings.TrimPrefix(after, ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return append(out, path)
		}
		out = append(out, path[:end])
		path = strings.TrimPrefix(path[end:], ".")
	}
	return out
}
