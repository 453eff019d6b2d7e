// Mutate turns one line of the engine at a time and runs its tests: each such mutant must be caught, or the line might as
// well not be there.
//
//	go run ./hack/mutate [-run regexp] [-list]
//
// Nothing in the working tree is written; the compiler is given the turned file in place of the original. The exit code is
// 1 when a mutant lives, and 2 when one no longer applies.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// mutant is one line turned.
type mutant struct {
	name     string // what the turned line does wrong
	file     string // below internal/engine
	old, new string // old stands in the file once
}

// suite are the packages whose tests may catch a mutant.
var suite = []string{"./internal/engine/...", "./internal/simulate/..."}

func main() {
	os.Exit(mutate())
}

// mutate returns the exit code.
func mutate() int {
	pattern := flag.String("run", "", "only mutants whose name matches this regular expression")
	list := flag.Bool("list", false, "list the mutants and whether each applies, without running tests")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	lived, err := run(ctx, *pattern, *list)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		return 2
	case lived > 0:
		fmt.Fprintf(os.Stderr, "mutate: %d mutants lived: a test is missing for each\n", lived)
		return 1
	}
	return 0
}

func run(ctx context.Context, pattern string, list bool) (lived int, err error) {
	only, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	work, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	if !list {
		if out, err := test(ctx, ""); err != nil {
			return 0, fmt.Errorf("the tests fail without any mutant: %w\n%s", err, out)
		}
	}
	ran := 0
	var stale []error // those that no longer apply; the others are tried all the same
	for _, m := range mutants {
		if !only.MatchString(m.name) {
			continue
		}
		ran++
		overlay, err := m.overlay(work)
		if err != nil {
			stale = append(stale, err)
			continue
		}
		if list {
			fmt.Fprintf(os.Stdout, "applies  %s (%s)\n", m.name, m.file)
			continue
		}
		start := time.Now()
		caught, by, err := m.caught(ctx, overlay)
		if err != nil {
			return lived, err
		}
		verdict := "caught"
		if !caught {
			verdict = "LIVED "
			lived++
		}
		fmt.Fprintf(os.Stdout, "%s  %s (%s, %.0f s)%s\n", verdict, m.name, m.file, time.Since(start).Seconds(), by)
	}
	if ran == 0 {
		return 0, fmt.Errorf("no mutant matches %q", pattern)
	}
	return lived, errors.Join(stale...)
}

// overlay writes the turned file and the compiler's instruction to take it.
func (m mutant) overlay(work string) (string, error) {
	original, err := filepath.Abs(filepath.Join("internal", "engine", m.file))
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(raw, []byte(m.old)); n != 1 || m.old == m.new {
		return "", fmt.Errorf("mutant %q: %q stands %d times in internal/engine/%s, must be once and change something; bring the mutant up to date", m.name, m.old, n, m.file)
	}
	turned := filepath.Join(work, "turned.go")
	if err := os.WriteFile(turned, bytes.Replace(raw, []byte(m.old), []byte(m.new), 1), 0o600); err != nil {
		return "", err
	}
	instruction, err := json.Marshal(map[string]map[string]string{"Replace": {original: turned}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	return path, os.WriteFile(path, instruction, 0o600)
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// caught tells whether a test fails, and which.
func (m mutant) caught(ctx context.Context, overlay string) (caught bool, by string, err error) {
	out, err := test(ctx, overlay)
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && (!exited || ctx.Err() != nil) {
		return false, "", errors.Join(err, ctx.Err())
	}
	switch {
	case err == nil:
		return false, "", nil
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return false, "", fmt.Errorf("mutant %q does not compile:\n%s", m.name, out)
	}
	if name := failedTest.FindStringSubmatch(out); name != nil {
		by = " by " + name[1]
	}
	return true, by, nil
}

// test runs the suite until the first failure: examples first, then properties, which take longer. Their chance is of a fixed
// seed, so that what fails with a mutant fails because of it, and what they find is not kept for the next.
func test(ctx context.Context, overlay string) (string, error) {
	examples, properties, err := split(ctx)
	if err != nil {
		return "", err
	}
	out, err := goTest(ctx, overlay, examples)
	if err != nil {
		return out, err
	}
	return goTest(ctx, overlay, properties, "-rapid.seed=1", "-rapid.nofailfile")
}

// split tells the packages of the suite that test properties from those that do not.
func split(ctx context.Context) (examples, properties []string, err error) {
	const imports = `{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-f", imports}, suite...)...).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("listing packages: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if slices.Contains(words, "pgregory.net/rapid") {
			properties = append(properties, words[0])
		} else {
			examples = append(examples, words[0])
		}
	}
	return examples, properties, nil
}

func goTest(ctx context.Context, overlay string, packages []string, flags ...string) (string, error) {
	args := []string{"test", "-failfast", "-timeout", "5m"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	args = append(append(args, packages...), flags...)
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	return string(out), err
}
