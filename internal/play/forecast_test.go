package play

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/simulate"
)

func TestTheSimulatorsStepsAreForeseen(t *testing.T) {
	for scenario, want := range map[string][]string{
		"moving-one-gang-makes-a-rack": {
			"0s a/a Started on n0 n1", "2m0s b/b Started on n4 n5", "10m0s c/c Planned on n4 n5 n6 n7, victims b/b",
			"10m0s b/b Told, Move for c/c", "10m10s b/b Started on n2 n3", "10m10s c/c Started on n4 n5 n6 n7",
			"1h10m10s c/c Succeeded",
		},
		"an-elastic-gang-breathes": {
			"0s b/b1 Started on n0", "1m0s a/train Started on n1 n2 n3", "30m0s b/b1 Succeeded",
			"30m0s a/train Grown on n1 n2 n3 n0", "1h0m0s b/b2 Planned on n0, victims a/train",
			"1h0m0s a/train Shrinks on n1 n2 n3, for b/b2", "1h1m0s b/b2 Started on n0", "2h1m0s b/b2 Succeeded",
			"2h1m0s a/train Grown on n1 n2 n3 n0",
		},
		"a-failed-node-is-replaced-nearby": {
			"0s a/train Started on n0 n1 n2", "30m0s a/train Started on n0 n2 n3", "1h0m0s a/train Started on n4 n5 n6",
			"3h0m0s a/train Succeeded",
		},
	} {
		t.Run(scenario, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "simulate", "testdata", "scenarios", scenario+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			in, mistakes := simulate.Read(data)
			if len(mistakes) > 0 {
				t.Fatal(mistakes)
			}
			said, report := forecast(in)
			if !report.Holds() {
				t.Fatal(report.Failures)
			}
			var got []string
			for _, s := range said {
				got = append(got, fmt.Sprintf("%s %s %s", s.At, s.Gang, s))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}
