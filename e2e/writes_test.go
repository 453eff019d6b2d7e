package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// managerUser is the account that config/rbac gives the manager.
const managerUser = "system:serviceaccount:berth-system:berth-manager"

// writes counts what the manager has written in a namespace since an instant, and the API server took: "verb resource".
func (w *world) writes(namespace string, since time.Time) map[string]int {
	w.t.Helper()
	events, err := cluster.AuditEvents(func(e devcluster.AuditEvent) bool {
		return e.IsWrite() && e.User == managerUser && e.Namespace == namespace && e.Code < 300 && !e.Time.Before(since)
	})
	w.must(err, "reading the audit log")
	counts := map[string]int{}
	for _, e := range events {
		counts[strings.TrimSuffix(e.Verb+" "+e.Resource+"/"+e.Subresource, "/")]++
	}
	return counts
}

// What a gang costs the API server from its submission to its end, by its number of roles. docs/performance.md says so.
func TestAGangCostsTheAPIServerAKnownNumberOfWrites(t *testing.T) {
	for _, roles := range []int{1, 3} {
		t.Run(fmt.Sprintf("with %d roles", roles), func(t *testing.T) {
			w := newWorld(t, fmt.Sprintf("writes-%d", roles), 2, 4)
			ns := w.team("a", 64, 0)
			start := time.Now()
			// It is held until its Jobs are there, so that the writes of the admission can be told from those before.
			g := w.gang(ns, "g", 8, 1, runFor("4s"), func(g *v1alpha1.GangJob) { g.Spec.Suspend = true })
			for i := 1; i < roles; i++ {
				r := g.Spec.Roles[0].DeepCopy()
				r.Name = fmt.Sprintf("role%d", i)
				g.Spec.Roles = append(g.Spec.Roles, *r)
			}
			w.submit(g)
			w.pending(g, v1alpha1.ReasonHeld)
			w.wait("its Jobs are there", func(context.Context) bool { return len(w.jobs(g)) == roles }, func() string { return "too few" })
			before := w.writes(ns, start)
			let := time.Now()
			w.suspend(g, false)
			w.phase(g, v1alpha1.PhaseRunning)
			admission := w.writes(ns, start)
			for key, n := range before {
				admission[key] -= n
			}
			delete(admission, "create events") // recorded in their own time
			maps.DeleteFunc(admission, func(_ string, n int) bool { return n == 0 })
			// Queued again, reserved, running, and, where pods took their time, their progress once in 2 s.
			progress := admission["patch gangjobs/status"] - 3
			if most := 1 + int(time.Since(let)/(2*time.Second)); progress < 0 || progress > most {
				t.Errorf("the progress of the pods was written %d times, want 0 to %d", progress, most)
			}
			want := map[string]int{"patch gangjobs/status": 3 + progress, "patch jobs": roles}
			if diff := cmp.Diff(want, admission); diff != "" {
				t.Errorf("writes from the release of the hold until the gang runs (-want +got):\n%s", diff)
			}
			w.phase(g, v1alpha1.PhaseSucceeded)
			all := w.writes(ns, start)
			for _, key := range slices.Sorted(maps.Keys(all)) {
				t.Logf("%-32s %d", key, all[key])
			}
			if n := all["patch pods"] + all["update pods"] + all["create pods"] + all["delete pods"]; n > 0 {
				t.Errorf("%d writes to pods", n)
			}
		})
	}
}

func TestAWaitingGangIsWrittenOnceAnInterval(t *testing.T) {
	w := newWorld(t, "writes-wait", 1, 2)
	ns := w.team("a", 16, 0)
	first := w.submit(w.gang(ns, "first", 2, 8))
	w.phase(first, v1alpha1.PhaseRunning)
	for _, name := range []string{"x", "y"} {
		w.pending(w.submit(w.gang(ns, name, 2, 8)), v1alpha1.ReasonNoCoherentSlot)
	}
	start := time.Now()
	// Other gangs come and go meanwhile, and each makes the loop decide anew.
	const others = 6
	for i := range others {
		g := w.submit(w.gang(ns, fmt.Sprintf("held-%d", i), 1, 8, func(g *v1alpha1.GangJob) { g.Spec.Suspend = true }))
		w.pending(g, v1alpha1.ReasonHeld)
	}
	passed := time.Since(start)
	events, err := cluster.AuditEvents(func(e devcluster.AuditEvent) bool {
		return e.IsWrite() && e.User == managerUser && e.Namespace == ns && !e.Time.Before(start) && (e.Name == "x" || e.Name == "y")
	})
	w.must(err, "reading the audit log")
	const interval = 2 * time.Second // of managerConfig
	if most := 2 * (int(passed/interval) + 1); len(events) > most {
		t.Errorf("two waiting gangs were written %d times in %s, at most %d are allowed", len(events), passed, most)
	}
}
