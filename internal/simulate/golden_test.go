package simulate

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestReportsLookLikeThis(t *testing.T) {
	for name, format := range map[string]string{
		"freed-parts-stay-with-the-plan": "table", "a-cpu-gang-pays-for-what-it-strands": "json", "ranks-follow-the-tree": "yaml",
	} {
		t.Run(name, func(t *testing.T) {
			report := Run(read(t, filepath.Join("testdata/scenarios", name+".yaml")), Options{Events: true})
			var got bytes.Buffer
			if err := report.Write(&got, format); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata/golden", name+"."+format)
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("report (-want +got); -update writes it anew:\n%s", diff)
			}
		})
	}
}

func TestTheSameFileGivesTheSameBytes(t *testing.T) {
	for _, file := range scenarios(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			var runs [2]bytes.Buffer
			for i := range runs {
				if err := Run(read(t, file), Options{Events: true}).Write(&runs[i], "json"); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(runs[0].String(), runs[1].String()); diff != "" {
				t.Errorf("two runs differ:\n%s", diff)
			}
		})
	}
}
