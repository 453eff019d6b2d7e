package manifest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Raw keeps a field as JSON would have it, whatever it is.
type Raw struct{ Value any }

var (
	rawType         = reflect.TypeFor[Raw]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
)

// Decode reads the document into out, a pointer to a struct with JSON tags, and returns everything that does not belong.
// Fields that were read without a mistake are set either way.
func (d Document) Decode(out any) Mistakes {
	dec := &decoder{}
	dec.node(d.root, reflect.ValueOf(out).Elem(), "", 0)
	return dec.mistakes.Sort()
}

type decoder struct {
	mistakes Mistakes
	nodes    int
}

func (d *decoder) fail(n *yaml.Node, path, format string, args ...any) {
	d.mistakes = append(d.mistakes, Mistake{Line: n.Line, Path: path, Message: fmt.Sprintf(format, args...)})
}

// bounded counts a node and reports whether the tree is still of a sane size.
func (d *decoder) bounded(n *yaml.Node, path string, depth int) bool {
	d.nodes++
	switch {
	case depth > maxDepth:
		d.fail(n, path, "nested deeper than %d levels", maxDepth)
	case d.nodes == maxNodes:
		d.fail(n, path, "more than %d values, aliases expanded", maxNodes)
	case d.nodes < maxNodes:
		return true
	}
	return false
}

func (d *decoder) node(n *yaml.Node, out reflect.Value, path string, depth int) {
	line := n.Line
	n = follow(n)
	if !d.bounded(n, path, depth) || isNull(n) {
		return
	}
	t := out.Type()
	switch {
	case t == rawType:
		out.Set(reflect.ValueOf(Raw{Value: d.value(n, path, depth)}))
		return
	case t.Kind() == reflect.Pointer:
		target := reflect.New(t.Elem())
		d.node(n, target.Elem(), path, depth)
		out.Set(target)
		return
	case reflect.PointerTo(t).Implements(unmarshalerType):
		d.unmarshaled(n, out, path, depth)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		d.structure(n, out, path, depth)
	case reflect.Map:
		d.mapping(n, out, path, depth)
	case reflect.Slice:
		d.list(n, out, path, depth)
	default:
		if !setScalar(n, out) {
			d.fail(&yaml.Node{Line: line}, path, "got %s, want %s", describe(n), wanted(t))
		}
	}
}

func (d *decoder) structure(n *yaml.Node, out reflect.Value, path string, depth int) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "got %s, want a map", describe(n))
		return
	}
	fields := fieldsOf(out.Type())
	list, repeated := entries(n)
	d.repeated(repeated, path)
	for _, e := range list {
		index, known := fields[e.key]
		if !known {
			d.fail(&yaml.Node{Line: e.line}, join(path, e.key), "unknown field")
			continue
		}
		d.node(e.node, out.FieldByIndex(index), join(path, e.key), depth+1)
	}
}

func (d *decoder) mapping(n *yaml.Node, out reflect.Value, path string, depth int) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "got %s, want a map", describe(n))
		return
	}
	t := out.Type()
	m := reflect.MakeMap(t)
	list, repeated := entries(n)
	d.repeated(repeated, path)
	for _, e := range list {
		val := reflect.New(t.Elem()).Elem()
		d.node(e.node, val, path+"["+e.key+"]", depth+1)
		m.SetMapIndex(reflect.ValueOf(e.key).Convert(t.Key()), val)
	}
	out.Set(m)
}

func (d *decoder) repeated(list []entry, path string) {
	for _, e := range list {
		d.fail(&yaml.Node{Line: e.line}, join(path, e.key), "given twice")
	}
}

func (d *decoder) list(n *yaml.Node, out reflect.Value, path string, depth int) {
	if n.Kind == yaml.ScalarNode && out.Type().Elem().Kind() == reflect.Uint8 {
		d.unmarshaled(n, out, path, depth) // base64
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(n, path, "got %s, want a list", describe(n))
		return
	}
	s := reflect.MakeSlice(out.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.node(c, s.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1)
	}
	out.Set(s)
}

// unmarshaled lets a type that reads JSON by itself do so.
func (d *decoder) unmarshaled(n *yaml.Node, out reflect.Value, path string, depth int) {
	before := len(d.mistakes)
	v := d.value(n, path, depth)
	if len(d.mistakes) > before {
		return
	}
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, out.Addr().Interface())
	}
	if err != nil {
		d.fail(n, path, "%s: %s", describe(n), strings.TrimPrefix(err.Error(), "json: "))
	}
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
