package state_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/state"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newCache() *state.Cache {
	return state.New(engine.DefaultConfig(), clocktesting.NewFakePassiveClock(epoch))
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// claimant is a team that names namespace ns, made so long after the epoch. Its status may say that it has it.
func claimant(name string, made time.Duration, has bool) *v1alpha1.Team {
	t := &v1alpha1.Team{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), CreationTimestamp: metav1.NewTime(epoch.Add(made))},
		Spec:       v1alpha1.TeamSpec{Namespaces: []string{"ns"}},
	}
	if has {
		t.Status.Namespaces = []string{"ns"}
	}
	return t
}

func TestWhoHasANamespaceIsTheSameInWhateverOrderTeamsAreLearnt(t *testing.T) {
	older, younger := claimant("older", 0, false), claimant("younger", time.Hour, false)
	holder := claimant("holder", 2*time.Hour, true)
	for name, test := range map[string]struct {
		teams []*v1alpha1.Team
		want  string
	}{
		"none has it: the oldest":             {[]*v1alpha1.Team{older, younger}, "older"},
		"one has it, and is not the oldest":   {[]*v1alpha1.Team{older, younger, holder}, "holder"},
		"made in the same second: by name":    {[]*v1alpha1.Team{older, claimant("a-twin", 0, false)}, "a-twin"},
		"two say that they have it: as above": {[]*v1alpha1.Team{holder, claimant("also", time.Hour, true), older}, "also"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reversed := range []bool{false, true} {
				teams := slices.Clone(test.teams)
				if reversed {
					slices.Reverse(teams)
				}
				c := newCache()
				c.SetNamespace(namespace("ns"))
				for _, team := range teams {
					c.SetTeam(team)
				}
				if got := c.TeamOf("ns"); got != test.want {
					t.Errorf("learnt in the order reversed=%t, it is %q's, want %q's", reversed, got, test.want)
				}
			}
		})
	}
}

func TestAQuestionBeforeAllTeamsAreLearntGivesNamespacesToNobodyForGood(t *testing.T) {
	c := newCache()
	c.SetNamespace(namespace("ns"))
	c.SetTeam(claimant("younger", time.Hour, false))
	if got := c.TeamOf("ns"); got != "younger" {
		t.Fatalf("ns is %q's, want the only claimant's", got)
	}
	c.SetTeam(claimant("holder", 2*time.Hour, true))
	if got := c.TeamOf("ns"); got != "holder" {
		t.Errorf("ns is %q's, want that of the team whose status says that it has it", got)
	}
}

func TestWhoHasANamespaceKeepsItBeforeItsStatusIsWritten(t *testing.T) {
	c := newCache()
	c.SetNamespace(namespace("ns"))
	c.SetTeam(claimant("holder", time.Hour, false))
	if got := c.TeamOf("ns"); got != "holder" {
		t.Fatalf("ns is %q's, want the only claimant's", got)
	}
	c.SetTeam(claimant("older", 0, false))
	if got := c.TeamOf("ns"); got != "holder" {
		t.Errorf("ns is %q's, want that of the team that had it", got)
	}
	if diff := cmp.Diff(map[string]string{"ns": "holder"}, c.Team("older").Conflicts); diff != "" {
		t.Errorf("conflicts of the other (-want +got):\n%s", diff)
	}
	gone := claimant("holder", time.Hour, false)
	gone.Spec.Namespaces = nil
	c.SetTeam(gone)
	if got := c.TeamOf("ns"); got != "older" {
		t.Errorf("once let go it is %q's, want the other's", got)
	}
}
