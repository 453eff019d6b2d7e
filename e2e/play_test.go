package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/play"
	"github.com/berth-dev/berth/internal/simulate"
)

// scenes are played side by side on a cluster each, the scenarios of one after the other. Time goes so much faster there
// that hours pass in seconds, and no more than lets the cluster keep up.
var scenes = [][]scene{
	{
		{"reclaim-empties-the-cheapest-rack", 480},
		{"moves/a-short-run-is-moved-with-sigterm", 60},
		{"berths/a-guarantee-takes-a-planned-berth", 60},
		{"idle-capacity-goes-to-the-smaller-share", 480},
		{"eviction/fairness-stops-before-it-tips-over", 240},
	},
	{
		{"freed-parts-stay-with-the-plan", 480},
		{"an-elastic-gang-breathes", 480},
		{"a-failed-node-is-replaced-nearby", 480},
		{"backfill-ends-in-time", 480},
		{"groups-are-packed-jointly", 480},
	},
}

type scene struct {
	scenario string
	speed    float64
}

func TestTheClusterDoesWhatTheSimulatorSays(t *testing.T) {
	for _, list := range scenes {
		names := make([]string, len(list))
		for i, s := range list {
			names[i] = filepath.Base(s.scenario)
		}
		t.Run(strings.Join(names, ","), func(t *testing.T) {
			t.Parallel()
			stage := newStage(t)
			for _, s := range list {
				t.Run(names[0], func(t *testing.T) { s.play(t, stage) })
				names = names[1:]
			}
		})
	}
}

// newStage starts a cluster of its own: a scenario has all nodes, and a manager with its settings.
func newStage(t *testing.T) *play.Stage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c, err := devcluster.Start(ctx, devcluster.Options{
		Version: os.Getenv("BERTH_TEST_KUBERNETES"), PodGroups: os.Getenv("BERTH_TEST_PODGROUPS") != "",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	stage, err := play.NewStage(c, "..", filepath.Join(cluster.Dir(), "berth-manager"))
	if err != nil {
		t.Fatal(err)
	}
	return stage
}

func (s scene) play(t *testing.T, stage *play.Stage) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "internal", "simulate", "testdata", "scenarios", filepath.FromSlash(s.scenario)+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	in, mistakes := simulate.Read(data)
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var course strings.Builder
	result, err := stage.Play(ctx, in, play.Options{Speed: s.speed, Out: &course})
	if err != nil {
		t.Fatalf("%v\n%s", err, course.String())
	}
	if !result.Agrees() {
		if err := result.Write(&course); err != nil {
			t.Fatal(err)
		}
		t.Error(course.String())
	}
}
