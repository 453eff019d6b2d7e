package state

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func TestANamespaceStaysWithTheTeamThatHasIt(t *testing.T) {
	w := newWorld(t, 0)
	w.SetTeam(team("young", 0, "ns"))
	if got := w.TeamOf("ns"); got != "t" {
		t.Errorf("of two, the older has it: got %q, want t", got)
	}
	w.SetTeam(team("ancient", 500, "ns")) // older still, but late
	if got := w.TeamOf("ns"); got != "t" {
		t.Errorf("a newcomer took it: got %q, want t", got)
	}
	if v := w.Team("ancient"); !cmp.Equal(v.Conflicts, map[string]string{"ns": "t"}) || len(v.Namespaces) != 0 {
		t.Errorf("the newcomer's view: %+v", v)
	}
	w.RemoveTeam("t")
	if got := w.TeamOf("ns"); got != "ancient" {
		t.Errorf("after the owner left: got %q, want the oldest, ancient", got)
	}
}

func TestAfterARestartTheStatusTellsWhoHasANamespace(t *testing.T) {
	w := newWorld(t, 0)
	late := team("late", 0, "shared")
	late.Status.Namespaces = []string{"shared"}
	w.SetTeam(team("early", 500, "shared"))
	w.SetTeam(late)
	w.SetNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shared"}})
	if got := w.TeamOf("shared"); got != "late" {
		t.Errorf("got %q, want late, whose status says that it has it", got)
	}
}

func TestLabelsMakeANamespaceATeams(t *testing.T) {
	w := newWorld(t, 1)
	byLabel := team("labelled", 1)
	byLabel.Spec.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"dept": "ml"}}
	w.SetTeam(byLabel)
	w.SetNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "x"}})
	g := w.gangJob("g", 1)
	g.Namespace = "x"
	w.SetGang(g)
	w.SetJob(childJob(g, "w", 1, true))
	w.Decide()
	if p := w.Pending(); len(p) != 1 || p[0].Why.Reason != "NoTeam" {
		t.Fatalf("pending %+v, want NoTeam", p)
	}
	w.SetNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "x", Labels: map[string]string{"dept": "ml"}}})
	w.Decide()
	if got := w.TeamOfGang("x/g"); got != "labelled" {
		t.Errorf("the gang counts for %q, want labelled", got)
	}
}

func TestParentsThatLeadInACircleAreTold(t *testing.T) {
	w := newWorld(t, 0)
	for name, parent := range map[string]string{"a": "b", "b": "c", "c": "a", "below": "a", "lost": "nobody"} {
		s := team(name, 1)
		s.Spec.Parent = parent
		w.SetTeam(s)
	}
	for name, want := range map[string][2]bool{ // parent known, cycle
		"a": {true, true}, "c": {true, true}, "lost": {false, false}, "t": {true, false},
	} {
		if v := w.Team(name); v.ParentKnown != want[0] || v.Cycle != want[1] {
			t.Errorf("team %s: parent known %t, cycle %t, want %v", name, v.ParentKnown, v.Cycle, want)
		}
	}
}

func TestGangsAreCountedByTheirBerths(t *testing.T) {
	w := newWorld(t, 4)
	running, waiting := w.gangJob("running", 2), w.gangJob("waiting", 4)
	w.SetGang(w.held(running, v1alpha1.BerthOccupied, 1, "n0", "n1"))
	w.SetGang(waiting)
	w.SetJob(childJob(waiting, "w", 1, true))
	v := w.Team("t")
	if v.Admitted != 1 || v.Pending != 1 || v.Preempting != 0 {
		t.Errorf("admitted %d, pending %d, preempting %d", v.Admitted, v.Pending, v.Preempting)
	}
	if len(v.Usage) != 1 || v.Usage[0].Used != 16000 || v.Usage[0].Guaranteed != 32000 {
		t.Errorf("usage %+v, want 16 of the 32 that the pool holds of the 64 guaranteed", v.Usage)
	}
}
