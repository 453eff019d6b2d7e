package state

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

func TestAGangIsConsideredOnceItsJobsAreThere(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 2)
	w.SetGang(g)
	if decisions, _ := w.Decide(); len(decisions) != 0 {
		t.Errorf("decisions without Jobs: %+v", decisions)
	}
	w.SetJob(childJob(g, "w", 1, true))
	decisions, _ := w.Decide()
	if len(decisions) != 1 || decisions[0].Kind != engine.Admit {
		t.Fatalf("decisions with Jobs: %+v, want an admission", decisions)
	}
}

// The watch brings what was written before Berth's own write as well, and later.
func TestAnOlderVersionDoesNotUndoAReservation(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 2)
	w.SetGang(g)
	w.SetJob(childJob(g, "w", 1, true))
	w.Decide()
	older := g.DeepCopy()
	older.ResourceVersion = w.next()
	older.Labels = map[string]string{"changed": "meanwhile"}
	reserved := w.held(g, v1alpha1.BerthReserved, 1, "n0", "n1")
	w.Wrote(reserved)
	w.SetGang(older)
	if got := w.free(); got != 0 {
		t.Errorf("%d idle, want 0: the reservation stands", got)
	}
	if got := w.Reservation(key("g"), 1); got != Unseen {
		t.Errorf("standing %v before the watch has brought it, want Unseen", got)
	}
	w.SetGang(reserved)
	if got := w.Reservation(key("g"), 1); got != Stands {
		t.Errorf("standing %v, want Stands", got)
	}
}

func TestARefusedWriteIsForgotten(t *testing.T) {
	w := newWorld(t, 2)
	g := w.gangJob("g", 2)
	w.SetGang(g)
	w.SetJob(childJob(g, "w", 1, true))
	w.Decide()
	w.Refused("ns/g")
	if decisions, _ := w.Decide(); len(decisions) != 1 || decisions[0].Kind != engine.Admit {
		t.Errorf("decisions %+v, want the admission taken again", decisions)
	}
}

func TestOfTwoLeadersReservationsTheLaterGivesWay(t *testing.T) {
	w := newWorld(t, 2)
	first, second := w.gangJob("first", 2), w.gangJob("second", 1)
	for _, g := range []*v1alpha1.GangJob{first, second} {
		w.SetGang(g)
		w.SetJob(childJob(g, "w", 1, true))
	}
	w.SetGang(w.held(second, v1alpha1.BerthReserved, 1, "n1"))
	w.SetGang(w.held(first, v1alpha1.BerthReserved, 1, "n0", "n1")) // decided later, by another leader
	if got := w.Reservation(key("second"), 1); got != Stands {
		t.Errorf("the earlier: %v, want Stands", got)
	}
	if got := w.Reservation(key("first"), 1); got != Clashes {
		t.Errorf("the later: %v, want Clashes", got)
	}
	w.SetJob(childJob(first, "w", 1, false)) // but whoever was let go already stays
	if got := w.Reservation(key("second"), 1); got != Clashes {
		t.Errorf("against one that was let go: %v, want Clashes", got)
	}
}

func TestABerthIsRebuiltFromPodsWhenTheStatusIsLost(t *testing.T) {
	w := newWorld(t, 3)
	g := w.gangJob("g", 2)
	j := childJob(g, "w", 4, false)
	w.SetPod(podOf(j, 1, "n0"))
	w.SetPod(podOf(j, 0, "n2"))
	w.SetJob(j)
	w.SetGang(g)
	if !w.Rebuilt(key("g")) {
		t.Fatal("no berth was rebuilt")
	}
	b := w.Berth(key("g"))
	want := engine.Slot{Pool: "p", Roles: []engine.RoleSlot{{Role: "w", Nodes: []string{"n2", "n0"}}}}
	if diff := cmp.Diff(want, b.Slot); diff != "" || b.Attempt != 4 || b.State != engine.Occupied {
		t.Errorf("berth %+v; slot (-want +got):\n%s", b, diff)
	}
	if got := w.free(); got != 8 {
		t.Errorf("%d idle, want 8", got)
	}
}

func TestEndedAndForeignGangsAreNoneOfTheEnginesBusiness(t *testing.T) {
	w := newWorld(t, 2)
	ended := w.gangJob("ended", 1)
	ended.Status.Phase = v1alpha1.PhaseSucceeded
	others := w.gangJob("others", 1)
	others.Spec.ManagedBy = "example.com/other"
	leaving := w.gangJob("leaving", 1)
	now := metav1.Now()
	leaving.DeletionTimestamp = &now
	for _, g := range []*v1alpha1.GangJob{ended, others, leaving} {
		w.SetGang(g)
		w.SetJob(childJob(g, "w", 1, true))
	}
	if decisions, _ := w.Decide(); len(decisions) != 0 {
		t.Errorf("decisions %+v, want none", decisions)
	}
}

func TestTheDomainOfASlotIsNamedByALabelOfItsNodes(t *testing.T) {
	w := newWorld(t, 3)
	slot := func(level string, domain []string, nodes ...string) engine.Slot {
		return engine.Slot{Pool: "p", Level: level, Domain: domain, Roles: []engine.RoleSlot{{Role: "w", Nodes: nodes}}}
	}
	for name, test := range map[string]struct {
		slot   engine.Slot
		label  string
		values []string
	}{
		"a rack":                     {slot("rack", []string{"r0"}, "n0", "n1"), "rack", []string{"r0"}},
		"a node, by its host name":   {slot("node", []string{"r0", "n1"}, "n1"), corev1.LabelHostname, []string{"host-n1"}},
		"the pool, by its outermost": {slot("", nil, "n0", "n2"), "rack", []string{"r0"}},
		"a node that is gone":        {slot("rack", []string{"r0"}, "n0", "n9"), "rack", nil},
	} {
		label, values := w.DomainLabel(test.slot)
		if label != test.label || !cmp.Equal(values, test.values) {
			t.Errorf("%s: %s in %v, want %s in %v", name, label, values, test.label, test.values)
		}
	}
}

// The clocks of two leaders need not agree; the order in which the API server took their writes is the same for both.
func TestWhichReservationIsTheLaterDoesNotDependOnClocks(t *testing.T) {
	w := newWorld(t, 1)
	first, second := w.gangJob("first", 1), w.gangJob("second", 1)
	for _, g := range []*v1alpha1.GangJob{first, second} {
		w.SetGang(g)
		w.SetJob(childJob(g, "w", 1, true))
	}
	ahead := w.held(first, v1alpha1.BerthReserved, 1, "n0")
	ahead.Status.Berth.PlannedAt = new(metav1.NewTime(w.clock.Now().Add(time.Hour)))
	w.SetGang(ahead)
	if got := w.Reservation(key("first"), 1); got != Stands {
		t.Errorf("the first, alone: %v, want Stands", got)
	}
	w.SetGang(w.held(second, v1alpha1.BerthReserved, 1, "n0"))
	labelled := ahead.DeepCopy() // a later version of the same stay
	labelled.ResourceVersion, labelled.Labels = w.next(), map[string]string{"changed": "meanwhile"}
	w.SetGang(labelled)
	if got := w.Reservation(key("first"), 1); got != Stands {
		t.Errorf("the first, once the second has come: %v, want Stands", got)
	}
	if got := w.Reservation(key("second"), 1); got != Clashes {
		t.Errorf("the second: %v, want Clashes", got)
	}
}

func TestARunningGangKeepsTheRulesOfTheTeamThatItWasLetInFor(t *testing.T) {
	w := newWorld(t, 2)
	w.SetQuota(&v1alpha1.Quota{ObjectMeta: metav1.ObjectMeta{Name: "other"}, Spec: v1alpha1.QuotaSpec{
		Team: "other", MaxRuntime: new(metav1.Duration{Duration: time.Minute}),
	}})
	g := w.gangJob("g", 1)
	w.SetJob(childJob(g, "w", 1, false))
	w.SetGang(w.held(g, v1alpha1.BerthOccupied, 1, "n0"))
	w.SetTeam(team("t", 1))
	w.SetTeam(team("other", 2, "ns"))
	w.clock.SetTime(w.clock.Now().Add(time.Hour))
	decisions, _ := w.Decide()
	if len(decisions) != 0 || w.TeamOfGang("ns/g") != "t" {
		t.Errorf("team %q, decisions %+v; want it to run on for t, which has no maxRuntime", w.TeamOfGang("ns/g"), decisions)
	}
}
