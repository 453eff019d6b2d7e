package architecture

import (
	"strings"
	"testing"
)

// layer says what the packages under a folder may import of this module. The first layer that holds a package counts,
// so that exceptions stand before what they are an exception of.
type layer struct {
	folder string
	may    []string // folders
	// tests may import these besides.
	tests []string
}

// layers is the list of docs/architecture.md, from the ground up. Within its own folder a package may import what it
// likes, as long as Go finds no cycle.
var layers = []layer{
	{folder: "internal/engine", tests: []string{"internal/simulate"}},
	{folder: "api", tests: []string{"internal/devcluster"}},
	{folder: "internal/devcluster"},
	{folder: "internal/architecture"},
	{folder: "internal/translate", may: []string{"api", "internal/assignment", "internal/engine", "internal/presets"}},
	{folder: "internal/state", may: []string{"api", "internal/engine", "internal/translate"}},
	{folder: "internal", may: []string{"api", "internal"}},
	{folder: "webhooks", may: []string{"api", "internal"}},
	{folder: "controllers", may: []string{"api", "internal"}},
	{folder: "cmd", may: []string{"api", "internal"}},
	{folder: "hack", may: []string{"api", "internal"}},
	{folder: "e2e", may: []string{"api", "internal"}},
	{folder: "", may: []string{"api", "internal", "controllers", "webhooks"}},
}

func TestImportsPointDown(t *testing.T) {
	for _, p := range listOurs(t) {
		l, found := layerOf(p.path())
		if !found {
			t.Errorf("package %s lies in no layer: give it a place in docs/architecture.md and here", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if !l.allows(imported, l.may) {
				t.Errorf("%s imports %s; packages of %s/ may import of this module only %q", p.ImportPath, imported, l.folder, l.may)
			}
		}
		for _, imported := range append(p.TestImports, p.XTestImports...) {
			if !l.allows(imported, append(l.tests, l.may...)) && !below(strings.TrimPrefix(imported, module+"/"), "internal/devcluster") {
				t.Errorf("the tests of %s import %s; packages of %s/ may import of this module only %q", p.ImportPath, imported, l.folder, append(l.tests, l.may...))
			}
		}
	}
}

// A loop over no package would let everything through.
func TestEveryLayerTellsSomethingApart(t *testing.T) {
	l, found := layerOf("internal/engine/place")
	if !found || l.folder != "internal/engine" {
		t.Fatalf("internal/engine/place lies in layer %q, want internal/engine", l.folder)
	}
	for imported, want := range map[string]bool{
		"time":                           true,
		module + "/internal/engine/topo": true,
		module + "/internal/translate":   false,
		module + "/api/v1alpha1":         false,
		module:                           false,
	} {
		if got := l.allows(imported, l.may); got != want {
			t.Errorf("the engine may import %s: %t, want %t", imported, got, want)
		}
	}
}

func TestEngineIsMadeOfTheStandardLibrary(t *testing.T) {
	foreign := map[string]bool{}
	packages := list(t)
	for _, p := range packages {
		foreign[p.ImportPath] = !p.Standard && !below(p.path(), "internal/engine")
	}
	seen := false
	for _, p := range packages {
		if !ours(p.ImportPath) || !below(p.path(), "internal/engine") {
			continue
		}
		seen = true
		for _, dep := range p.Deps {
			if foreign[dep] {
				t.Errorf("%s depends on %s; the engine is built from the standard library alone", p.ImportPath, dep)
			}
		}
		for _, imported := range p.Imports {
			if reason, banned := notForTheEngine[imported]; banned {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, reason)
			}
		}
	}
	if !seen {
		t.Fatal("there is no package under internal/engine")
	}
}

// notForTheEngine are packages of the standard library that would make a decision depend on more than its arguments.
var notForTheEngine = map[string]string{
	"context":      "the engine waits for nothing",
	"log":          "a decision carries its explanation as data",
	"log/slog":     "a decision carries its explanation as data",
	"math/rand":    "same state, same time, same decision",
	"math/rand/v2": "same state, same time, same decision",
	"net":          "the engine talks to nobody",
	"net/http":     "the engine talks to nobody",
	"os":           "the engine reads nothing but its arguments",
	"sync":         "the engine is called by one goroutine and starts none",
	"sync/atomic":  "the engine is called by one goroutine and starts none",
}

// The API types are imported by everybody who talks to Berth, so they bring along only what every client has anyway.
func TestAPIImportsOnlyAPIMachinery(t *testing.T) {
	packages := list(t)
	standard := map[string]bool{}
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	seen := false
	for _, p := range packages {
		if !ours(p.ImportPath) || !below(p.path(), "api") {
			continue
		}
		seen = true
		for _, imported := range p.Imports {
			if standard[imported] || below(imported, "k8s.io/api") || below(imported, "k8s.io/apimachinery") || below(imported, module+"/api") {
				continue
			}
			t.Errorf("%s imports %s; API types may import the standard library, k8s.io/api and k8s.io/apimachinery", p.ImportPath, imported)
		}
	}
	if !seen {
		t.Fatal("there is no package under api")
	}
}

// One concern does not know another: they meet in the API.
func TestControllersDoNotImportEachOther(t *testing.T) {
	for _, p := range listOurs(t) {
		concern, inside := strings.CutPrefix(p.path(), "controllers/")
		if !inside {
			continue
		}
		for _, imported := range p.Imports {
			if other, ok := strings.CutPrefix(imported, module+"/controllers/"); ok && !below(other, firstFolder(concern)) {
				t.Errorf("%s imports %s; what two concerns need belongs under internal/", p.ImportPath, imported)
			}
		}
	}
}

func firstFolder(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

func layerOf(folder string) (layer, bool) {
	for _, l := range layers {
		if folder == l.folder || l.folder != "" && below(folder, l.folder) {
			return l, true
		}
	}
	return layer{}, false
}

func (l layer) allows(importPath string, may []string) bool {
	if !ours(importPath) {
		return true
	}
	folder := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	if l.folder != "" && below(folder, l.folder) {
		return true
	}
	for _, other := range may {
		if below(folder, other) {
			return true
		}
	}
	return false
}
