package architecture

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is where a file holds a second idea, tests included.
const maxLines = 500

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// sources are the module's Go files that people write, paths relative to its root.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	top := root(t)
	files := map[string][]byte{}
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != top && (slices.Contains([]string{"bin", "dist", "testdata"}, entry.Name()) || strings.HasPrefix(entry.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !generated.Match(raw) {
			name, err := filepath.Rel(top, path)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(name)] = raw
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("found %d Go files under %s; the walk went astray", len(files), top)
	}
	return files
}

func TestFilesStaySmall(t *testing.T) {
	for name, raw := range sources(t) {
		if lines := bytes.Count(raw, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, %d at most: which second idea is in there?", name, lines, maxLines)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range listOurs(t) {
		if p.Name == "main" {
			// The comment of a command is its manual and stands where it starts.
			if !slices.ContainsFunc(p.GoFiles, func(file string) bool { return packageComment(t, filepath.Join(p.Dir, file)) != "" }) {
				t.Errorf("command %s has no package comment", p.ImportPath)
			}
			continue
		}
		if !slices.Contains(p.GoFiles, "doc.go") {
			t.Errorf("package %s has no doc.go", p.ImportPath)
			continue
		}
		if comment := packageComment(t, filepath.Join(p.Dir, "doc.go")); !strings.HasPrefix(comment, "Package "+p.Name+" ") {
			t.Errorf("doc.go of %s should begin with %q, begins with %.40q", p.ImportPath, "Package "+p.Name+" ...", comment)
		}
	}
}

func packageComment(t *testing.T, file string) string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Doc.Text()
}

func TestNoPackageIsAHeap(t *testing.T) {
	for _, p := range listOurs(t) {
		if slices.Contains([]string{"base", "common", "helper", "helpers", "misc", "shared", "util", "utils"}, p.Name) {
			t.Errorf("package %s is named for no idea", p.ImportPath)
		}
	}
}

// The linter holds this for all packages; for the engine it is a law.
func TestEngineHasNeitherClockNorGoroutine(t *testing.T) {
	seen := false
	for name, raw := range sources(t) {
		if !below(name, "internal/engine") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		seen = true
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, raw, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				t.Errorf("%s: the engine starts no goroutine and knows no channel", files.Position(n.Pos()))
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clockCalls, n.Sel.Name) {
					t.Errorf("%s: time.%s; the engine is told what time it is", files.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
	if !seen {
		t.Fatal("there is no file under internal/engine")
	}
}

var clockCalls = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
