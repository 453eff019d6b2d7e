package webhooks

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// reader returns one gang, or an error, after it was let go on.
type reader struct {
	client.Reader
	gang  *v1alpha1.GangJob
	err   error
	goOn  chan struct{}
	reads atomic.Int32
}

func (r *reader) Get(_ context.Context, _ client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	r.reads.Add(1)
	if r.goOn != nil {
		<-r.goOn
	}
	if r.err == nil {
		r.gang.DeepCopyInto(into.(*v1alpha1.GangJob))
	}
	return r.err
}

// placed is a gang with a launcher on n0, a free role, and two workers on n0 and n1.
func placed(uid types.UID, attempt int32, state v1alpha1.BerthState) *v1alpha1.GangJob {
	run := func(nodes ...string) []v1alpha1.NodeRun { return []v1alpha1.NodeRun{{Prefix: "n", Suffixes: nodes}} }
	return &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "research", Name: "llama", UID: uid},
		Spec: v1alpha1.GangJobSpec{Roles: []v1alpha1.Role{
			{Name: "launcher"}, {Name: "logger", Placement: v1alpha1.PlacementFree}, {Name: "worker"},
		}},
		Status: v1alpha1.GangJobStatus{
			Berth: &v1alpha1.BerthStatus{State: state, Attempt: attempt},
			Assignment: &v1alpha1.Assignment{Pool: "h100", Domain: "r0", Roles: []v1alpha1.RoleAssignment{
				{Name: "launcher", Nodes: run("0")}, {Name: "worker", Nodes: run("0", "1")},
			}},
		},
	}
}

var want = &Berth{
	Attempt: 2, Pool: "h100", Domain: "r0", Free: map[string]bool{"logger": true},
	Roles: map[string]RoleRanks{"launcher": {Nodes: []string{"n0"}}, "worker": {First: 1, Nodes: []string{"n0", "n1"}}},
}

func TestTheLedgerKnowsBerthsThatPodsMayStartIn(t *testing.T) {
	tests := map[v1alpha1.BerthState]*Berth{
		v1alpha1.BerthFuture: nil, v1alpha1.BerthPlanned: nil, v1alpha1.BerthReserved: want, v1alpha1.BerthOccupied: want,
	}
	for state, want := range tests {
		t.Run(string(state), func(t *testing.T) {
			ledger := NewLedger(nil)
			if err := ledger.Update(placed("u", 2, state)); err != nil {
				t.Fatal(err)
			}
			got, known := ledger.Known("u")
			if diff := cmp.Diff(want, got); diff != "" || known != (want != nil) {
				t.Errorf("known: %v, berth (-want +got):\n%s", known, diff)
			}
		})
	}
}

func TestTheLedgerForgetsABerthThatIsGivenUp(t *testing.T) {
	ledger := NewLedger(nil)
	g := placed("u", 2, v1alpha1.BerthOccupied)
	if err := ledger.Update(g); err != nil {
		t.Fatal(err)
	}
	g.Status.Berth = nil
	if err := ledger.Update(g); err != nil {
		t.Fatal(err)
	}
	if got, known := ledger.Known("u"); known {
		t.Errorf("the berth is still known: %+v", got)
	}
}

func TestAnAssignmentThatCannotBeReadIsNoBerth(t *testing.T) {
	ledger := NewLedger(nil)
	g := placed("u", 2, v1alpha1.BerthOccupied)
	g.Status.Assignment.Roles[0].Nodes[0].Counts = []int32{1, 2}
	if err := ledger.Update(g); err == nil {
		t.Error("no error")
	}
	if _, known := ledger.Known("u"); known {
		t.Error("there is a berth all the same")
	}
}

func TestAReadDoesNotReplaceWhatTheWatchHasTold(t *testing.T) {
	api := &reader{gang: placed("u", 2, v1alpha1.BerthReserved)}
	ledger := NewLedger(api)
	if err := ledger.Update(placed("u", 3, v1alpha1.BerthReserved)); err != nil {
		t.Fatal(err)
	}
	if got, err := ledger.Live(t.Context(), types.NamespacedName{}, "u"); err != nil || got.Attempt != 2 {
		t.Errorf("read attempt %v (%v), want 2 as the API server says", got, err)
	}
	if got, _ := ledger.Known("u"); got.Attempt != 3 {
		t.Errorf("attempt %d is known, want 3", got.Attempt)
	}
}

func TestAReadOfAnotherOrNoGangFindsNoBerth(t *testing.T) {
	tests := map[string]struct {
		api     *reader
		wantErr bool
	}{
		"the gang is gone":               {&reader{err: apierrors.NewNotFound(v1alpha1.Resource("gangjobs"), "llama")}, false},
		"another has its name":           {&reader{gang: placed("other", 2, v1alpha1.BerthReserved)}, false},
		"its berth is planned":           {&reader{gang: placed("u", 2, v1alpha1.BerthPlanned)}, false},
		"the API server cannot be asked": {&reader{err: errors.New("no route")}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ledger := NewLedger(test.api)
			got, err := ledger.Live(t.Context(), types.NamespacedName{Namespace: "research", Name: "llama"}, "u")
			if got != nil || (err != nil) != test.wantErr {
				t.Errorf("berth %+v, error %v", got, err)
			}
			if _, known := ledger.Known("u"); known {
				t.Error("a berth is known")
			}
		})
	}
}

func TestThePodsOfAGangShareARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &reader{gang: placed("u", 2, v1alpha1.BerthReserved), goOn: make(chan struct{})}
		ledger := NewLedger(api)
		var done sync.WaitGroup
		for range 100 {
			done.Go(func() {
				got, err := ledger.Live(t.Context(), types.NamespacedName{}, "u")
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("error %v, berth (-want +got):\n%s", err, diff)
				}
			})
		}
		synctest.Wait() // until all of them wait
		close(api.goOn)
		done.Wait()
		if n := api.reads.Load(); n != 1 {
			t.Errorf("%d reads for 100 pods, want 1", n)
		}
	})
}

func TestWhoGivesUpDoesNotSpoilTheReadForOthers(t *testing.T) {
	api := &reader{gang: placed("u", 2, v1alpha1.BerthReserved), goOn: make(chan struct{})}
	ledger := NewLedger(api)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ledger.Live(ctx, types.NamespacedName{}, "u"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was given up", err)
	}
	close(api.goOn)
	if got, err := ledger.Live(t.Context(), types.NamespacedName{}, "u"); err != nil || got == nil {
		t.Errorf("berth %v, error %v", got, err)
	}
}
