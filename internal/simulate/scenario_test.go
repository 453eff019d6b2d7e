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

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("got %d scenarios (%v), want at least 30", len(files), err)
	}
	for _, file := range files {
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
