package trace

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/simulate"
)

// jobs makes n jobs of all sizes, ten minutes apart, of one to four hours.
func jobs(n int) []Job {
	sizes := []int64{1, 8, 2, 16, 4, 1, 32, 1}
	out := make([]Job, n)
	for i := range out {
		out[i] = Job{
			ID: fmt.Sprint(i), GPUs: sizes[i%len(sizes)], Submitted: time.Duration(i) * 10 * time.Minute, Runs: time.Duration(1+i%4) * time.Hour,
		}
	}
	return out
}

func build(t *testing.T, o Options, list []Job) *simulate.Input {
	t.Helper()
	cluster, err := Cluster(16)
	if err != nil {
		t.Fatal(err)
	}
	in, err := Build(cluster, nil, list, o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestJobsLargerThanANodeBecomeGangsOfWholeNodes(t *testing.T) {
	in := build(t, Options{Required: "rack"}, []Job{{GPUs: 4, Runs: 1}, {GPUs: 8, Runs: 1}, {GPUs: 9, Runs: 1}, {GPUs: 32, Runs: 1}})
	want := []struct {
		pods     int32
		gpus     string
		required bool
	}{{1, "4", false}, {1, "8", false}, {2, "8", true}, {4, "8", true}}
	for i, e := range in.Events {
		spec := e.Action.(simulate.Lazy)().Job.Spec
		gpus := spec.Roles[0].Template.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"]
		required := spec.Topology != nil && spec.Topology.Required == "rack"
		if spec.Roles[0].Replicas != want[i].pods || gpus.String() != want[i].gpus || required != want[i].required {
			t.Errorf("job %d: got %d pods of %s GPUs, required rack %v; want %+v", i, spec.Roles[0].Replicas, gpus.String(), required, want[i])
		}
	}
}

func TestTimesAreStretchedToTheLoad(t *testing.T) {
	list := jobs(100)
	for _, load := range []float64{0.5, 1.1} {
		in := build(t, Options{Load: load}, list)
		var asked float64
		for _, j := range list {
			asked += float64(j.GPUs) * float64(j.Runs)
		}
		got := asked / (128 * float64(in.Measure))
		if math.Abs(got-load) > 0.001 {
			t.Errorf("load: got %.3f, want %.3f", got, load)
		}
	}
	if in := build(t, Options{}, list); in.Measure != list[99].Submitted {
		t.Errorf("without a load the last job comes at %s, want %s", in.Measure, list[99].Submitted)
	}
}

func TestSharesComeOutAndSeedsSettleThem(t *testing.T) {
	o := Options{Seed: 7, Production: 0.25, Interactive: 0.5}
	count := func(o Options) (tiers, teams map[string]int) {
		tiers, teams = map[string]int{}, map[string]int{}
		for _, e := range build(t, o, jobs(4000)).Events {
			s := e.Action.(simulate.Lazy)()
			tiers[string(s.Job.Spec.Tier)]++
			teams[s.Namespace]++
		}
		return tiers, teams
	}
	tiers, teamsOf := count(o)
	for tier, want := range map[string]int{"Production": 1000, "Interactive": 2000, "Batch": 1000} {
		if got := tiers[tier]; got < want-150 || got > want+150 {
			t.Errorf("tier %s: got %d of 4000 jobs, want about %d", tier, got, want)
		}
	}
	if teamsOf["team-0"] <= teamsOf["team-1"] || teamsOf["team-1"] <= teamsOf["team-3"] {
		t.Errorf("got teams %v, want the first with most jobs and the last with fewest", teamsOf)
	}
	again, _ := count(o)
	if diff := cmp.Diff(tiers, again); diff != "" {
		t.Errorf("the same seed gives other tiers:\n%s", diff)
	}
	o.Seed++
	if other, _ := count(o); cmp.Equal(tiers, other) {
		t.Error("another seed gives the same tiers")
	}
}

func TestEveryPolicyRunsEveryJob(t *testing.T) {
	list := jobs(120)
	for _, policy := range Policies {
		t.Run(policy, func(t *testing.T) {
			scheduler, err := Scheduler(policy, 1)
			if err != nil {
				t.Fatal(err)
			}
			o := Defaults()
			report := simulate.Run(build(t, o, list), simulate.Options{Scheduler: scheduler, Blind: scheduler != nil})
			for _, f := range report.Failures {
				t.Error(f)
			}
			if s := report.Summary; s.Succeeded != len(list) || s.Waiting != 0 {
				t.Errorf("got %d succeeded and %d waiting of %d", s.Succeeded, s.Waiting, len(list))
			}
		})
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"jobs": {Jobs: -1}, "load": {Load: -1}, "shares": {Production: 0.6, Interactive: 0.6}, "checkpoints": {Save: -1}, "estimate": {Estimate: 0.5},
	} {
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
