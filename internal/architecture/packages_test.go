package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/berth-dev/berth"

// goPackage is what `go list -json` tells of one.
type goPackage struct {
	ImportPath   string
	Name         string
	Dir          string
	Standard     bool
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// path is the package's folder inside the module, "" for the module's root.
func (p goPackage) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// ours tells whether an import path lies in this module.
func ours(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// below tells whether the folder is the other or lies in it.
func below(folder, other string) bool {
	return folder == other || strings.HasPrefix(folder, other+"/")
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list -m: %v", describe(err))
	}
	return filepath.Clean(strings.TrimSpace(string(out)))
}

// list is the module's packages and everything that they are built from, those that do not compile included: the compiler
// says so itself.
func list(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps",
		"-json=ImportPath,Name,Dir,Standard,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps: %v", describe(err))
	}
	var packages []goPackage
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatalf("reading the answer of go list: %v", err)
		}
		packages = append(packages, p)
	}
}

// listOurs is the module's own packages.
func listOurs(t *testing.T) []goPackage {
	t.Helper()
	var own []goPackage
	for _, p := range list(t) {
		if ours(p.ImportPath) {
			own = append(own, p)
		}
	}
	return own
}

// describe adds what a command wrote to its standard error.
func describe(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return errors.Join(err, errors.New(string(exit.Stderr)))
	}
	return err
}
