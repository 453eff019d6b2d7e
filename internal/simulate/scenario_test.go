package simulate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read reads a scenario file that must be right.
func read(t *testing.T, path string) *Input {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, mistakes := Read(data)
	if len(mistakes) > 0 {
		t.Fatalf("%s is not valid:\n%s", path, mistakes.Error())
	}
	return in
}

// scenarios lists all scenario files, those in folders too.
func scenarios(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"testdata/scenarios/*.yaml", "testdata/scenarios/*/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: got no scenario (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

func TestScenarios(t *testing.T) {
	for _, file := range scenarios(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			report := Run(read(t, file), Options{Events: true})
			if report.Holds() {
				return
			}
			for _, f := range report.Failures {
				t.Error(f)
			}
			for _, h := range report.Events {
				t.Log(h)
			}
		})
	}
}
