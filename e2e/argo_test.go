package e2e

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// The conditions that Argo Workflows evaluates over the object at every poll. Both are label selectors whose keys are paths
// of the object; a key that is not there makes = false.
const (
	success = "status.phase == Succeeded"
	failure = "status.phase == Failed"
)

// argoHolds evaluates a condition over an object as Argo does. Terms of a success condition must all hold, of a failure
// condition any.
func argoHolds(t *testing.T, condition string, object any, all bool) bool {
	t.Helper()
	selector, err := labels.Parse(condition)
	if err != nil {
		t.Fatalf("condition %q: %v", condition, err)
	}
	requirements, _ := selector.Requirements()
	set := paths{object}
	held := 0
	for _, r := range requirements {
		if r.Matches(set) {
			held++
		}
	}
	if all {
		return held == len(requirements)
	}
	return held > 0
}

// paths looks up paths with dots in an object.
type paths struct{ object any }

func (p paths) Has(path string) bool { _, ok := p.Lookup(path); return ok }

func (p paths) Get(path string) string { value, _ := p.Lookup(path); return value }

func (p paths) Lookup(path string) (string, bool) {
	at := p.object
	for key := range strings.SplitSeq(path, ".") {
		inner, ok := at.(map[string]any)
		if !ok {
			return "", false
		}
		if at, ok = inner[key]; !ok {
			return "", false
		}
	}
	switch value := at.(type) {
	case string:
		return value, true
	case float64, bool:
		raw, err := json.Marshal(value)
		return string(raw), err == nil
	default:
		return "", false
	}
}

// asArgo is an object as it is in JSON.
func asArgo(t *testing.T, g *v1alpha1.GangJob) map[string]any {
	t.Helper()
	raw, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// history collects every version of a gang from its submission until it is gone or the test ends.
func (w *world) history(namespace string) watch.Interface {
	w.t.Helper()
	stream, err := admin.Watch(w.t.Context(), &v1alpha1.GangJobList{}, client.InNamespace(namespace))
	w.must(err, "watching GangJobs")
	w.t.Cleanup(stream.Stop)
	return stream
}

// follow goes through the versions of a gang until an end holds, and returns the phases that it went through.
func (w *world) follow(stream watch.Interface, name string, each func(*v1alpha1.GangJob) (ended bool)) []v1alpha1.Phase {
	w.t.Helper()
	ctx := w.ctx(patience)
	var phases []v1alpha1.Phase
	for {
		select {
		case <-ctx.Done():
			w.t.Fatalf("gang %s did not end; its phases were %v", name, phases)
		case event := <-stream.ResultChan():
			g, ok := event.Object.(*v1alpha1.GangJob)
			if !ok {
				w.t.Fatalf("the watch broke: %+v", event)
			}
			if g.Name != name {
				continue
			}
			if n := len(phases); n == 0 || phases[n-1] != g.Status.Phase {
				phases = append(phases, g.Status.Phase)
			}
			if each(g) {
				return phases
			}
		}
	}
}

func TestArgosConditionsHoldAtTheEndAndNeverBefore(t *testing.T) {
	w := newWorld(t, "argo", 1, 2)
	ns := w.team("a", 16, 0)
	stream := w.history(ns)
	low := w.submit(w.gang(ns, "low", 2, 8, tier(v1alpha1.TierInteractive), runFor("6s")))
	w.phase(low, v1alpha1.PhaseRunning)
	high := w.submit(w.gang(ns, "high", 2, 8, tier(v1alpha1.TierProduction), runFor("2s")))
	phases := w.follow(stream, "low", func(g *v1alpha1.GangJob) bool {
		object := asArgo(t, g)
		if argoHolds(t, failure, object, false) || argoHolds(t, "status.failed > 0", object, false) {
			t.Errorf("the failure condition holds in phase %s, attempt %d", g.Status.Phase, g.Status.Attempts)
		}
		ended := argoHolds(t, success, object, true)
		if ended != argoHolds(t, "status.succeeded > 0", object, true) {
			t.Errorf("the two success conditions differ in phase %s", g.Status.Phase)
		}
		if finished := g.Status.History != nil && g.Status.History.EndTime != nil; ended != finished {
			t.Errorf("success is %t in phase %s, with endTime set: %t", ended, g.Status.Phase, finished)
		}
		return ended
	})
	want := []v1alpha1.Phase{"", "Pending", "Admitted", "Running", "Preempting", "Pending", "Admitted", "Running", "Succeeded"}
	if !slices.Equal(phases, want) {
		t.Errorf("phases %v, want %v", phases, want)
	}
	w.phase(high, v1alpha1.PhaseSucceeded)
}

func TestArgosFailureConditionHoldsOnlyWhenNoRestartIsLeft(t *testing.T) {
	w := newWorld(t, "argo-fail", 1, 1)
	ns := w.team("a", 8, 0)
	stream := w.history(ns)
	g := w.gang(ns, "g", 1, 8, func(g *v1alpha1.GangJob) { g.Spec.Restart.MaxRestarts = ptr.To[int32](1) })
	w.submit(g)
	failed := map[int32]bool{}
	w.follow(stream, "g", func(now *v1alpha1.GangJob) bool {
		if now.Status.Phase == v1alpha1.PhaseRunning && !failed[now.Status.Attempts] {
			failed[now.Status.Attempts] = true
			w.failRank(g, 0)
		}
		ended := argoHolds(t, failure, asArgo(t, now), false)
		if ended && now.Status.Attempts < 2 {
			t.Errorf("the failure condition holds in attempt %d, with a restart left", now.Status.Attempts)
		}
		return ended
	})
}

func TestKubectlWaitsForTheEnd(t *testing.T) {
	w := newWorld(t, "kubectl-wait", 1, 1)
	ns := w.team("a", 8, 0)
	w.submit(w.gang(ns, "g", 1, 8, runFor("2s")))
	for _, condition := range []string{"condition=PodsReady", "condition=Finished", "jsonpath={.status.phase}=Succeeded"} {
		out, err := w.kubectl("wait", "--for="+condition, "--timeout="+patience.String(), "-n", ns, "gangjob/g")
		if err != nil || !strings.Contains(out, "condition met") {
			t.Errorf("kubectl wait --for=%s: %v\n%s", condition, err, out)
		}
	}
}

// kubectl runs kubectl with all rights.
func (w *world) kubectl(args ...string) (string, error) {
	w.t.Helper()
	cmd := exec.CommandContext(w.ctx(patience+time.Minute), cluster.Binary("kubectl"), append([]string{"--kubeconfig=" + cluster.Kubeconfig()}, args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
