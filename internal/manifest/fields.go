package manifest

import (
	"math"
	"reflect"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// fieldCache has the fields of struct types by JSON name.
var fieldCache sync.Map

// fieldsOf returns the index path of each field of a struct by its JSON name, those of inlined structs included.
func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := fieldCache.Load(t); ok {
		return known.(map[string][]int)
	}
	fields := map[string][]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			for inner, index := range fieldsOf(f.Type) {
				fields[inner] = append([]int{i}, index...)
			}
		case name == "":
			fields[f.Name] = []int{i}
		default:
			fields[name] = []int{i}
		}
	}
	fieldCache.Store(t, fields)
	return fields
}

// setScalar sets a string, number or boolean; it reports false where the node is of another kind or out of range.
func setScalar(n *yaml.Node, out reflect.Value) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	v := scalar(n)
	switch out.Kind() {
	case reflect.String:
		if s, ok := v.(string); ok {
			out.SetString(s)
			return true
		}
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			out.SetBool(b)
			return true
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if i, ok := integer(v); ok && !out.OverflowInt(i) {
			out.SetInt(i)
			return true
		}
	case reflect.Float32, reflect.Float64:
		switch x := v.(type) {
		case float64:
			out.SetFloat(x)
			return true
		default:
			if i, ok := integer(v); ok {
				out.SetFloat(float64(i))
				return true
			}
		}
	}
	return false
}

func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case int:
		return int64(x), true
	case int64:
		return x, true
	case uint64:
		return int64(min(x, math.MaxInt64)), x <= math.MaxInt64
	default:
		return 0, false
	}
}

// wanted names a type in the words of YAML.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text (quoted where it looks like a number or a boolean)"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return "a whole number of at most 32 bits"
	default:
		return "a whole number"
	}
}
