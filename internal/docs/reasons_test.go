package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestReasonsPageNamesEveryReasonAndCondition(t *testing.T) {
	page := read(t, filepath.Join(top, "docs", "reasons.md"))
	for _, source := range []struct{ file, prefix string }{{"reasons.go", "Reason"}, {"conditions.go", "Condition"}} {
		words := constants(t, filepath.Join(top, "api", "v1alpha1", source.file), source.prefix)
		if len(words) < 5 {
			t.Fatalf("found the constants %v in %s; there must be more", words, source.file)
		}
		for _, word := range words {
			if !strings.Contains(page, "`"+word+"`") {
				t.Errorf("docs/reasons.md does not explain `%s` of api/v1alpha1/%s", word, source.file)
			}
		}
	}
}

// constants are the values of a file's string constants whose names begin with the prefix.
func constants(t *testing.T, path, prefix string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	return values
}
