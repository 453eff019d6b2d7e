package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// constants are the values of the string constants that a file declares.
func constants(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, expression := range spec.Values {
			literal, ok := expression.(*ast.BasicLit)
			if !ok {
				continue
			}
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return false
	})
	return values
}

func TestEveryReasonAndConditionIsExplained(t *testing.T) {
	page, err := os.ReadFile("../../docs/reasons.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"reasons.go", "conditions.go"} {
		words := constants(t, path)
		if len(words) < 5 {
			t.Errorf("%s declares %d words, which cannot be all", path, len(words))
		}
		for _, word := range words {
			if !strings.Contains(string(page), "`"+word+"`") {
				t.Errorf("docs/reasons.md does not explain %s", word)
			}
		}
	}
}
