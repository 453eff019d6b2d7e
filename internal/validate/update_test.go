package validate_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/validate"
)

func TestWhatABerthRestsOnCannotBeChanged(t *testing.T) {
	tests := map[string]struct {
		change func(*v1alpha1.GangJob)
		at     string
	}{
		"the number of pods": {func(g *v1alpha1.GangJob) { g.Spec.Roles[0].Replicas = 4 }, "spec.roles"},
		"the pool":           {func(g *v1alpha1.GangJob) { g.Spec.Pool = "h100" }, "spec.pool"},
		"the topology": {
			func(g *v1alpha1.GangJob) {
				g.Spec.Topology = &v1alpha1.TopologyRequest{Required: "rack", Policy: v1alpha1.PolicyLocality}
			}, "spec.topology",
		},
		"not the user's own hold": {func(g *v1alpha1.GangJob) { g.Spec.Suspend = true }, ""},
		"not the priority":        {func(g *v1alpha1.GangJob) { g.Spec.Priority = 7 }, ""},
	}
	for name, test := range tests {
		for _, state := range []v1alpha1.BerthState{v1alpha1.BerthPlanned, v1alpha1.BerthReserved, v1alpha1.BerthOccupied} {
			t.Run(name+" of a berth that is "+string(state), func(t *testing.T) {
				old := gang(t, "")
				old.Status.Berth = &v1alpha1.BerthStatus{State: state, Attempt: 1}
				g := old.DeepCopy()
				test.change(g)
				errs := validate.GangJobUpdate(g, old, world())
				if test.at == "" {
					wantAccepted(t, errs)
					return
				}
				wantRefused(t, errs, test.at, "while the gang holds a berth ("+string(state)+"); set spec.suspend")
			})
		}
		t.Run(name+" without a berth", func(t *testing.T) {
			old := gang(t, "")
			g := old.DeepCopy()
			test.change(g)
			wantAccepted(t, validate.GangJobUpdate(g, old, world()))
		})
	}
}

func TestWhoCreatedAGangCannotBeChanged(t *testing.T) {
	old := gang(t, "")
	old.Annotations = map[string]string{v1alpha1.AnnotationSubmitter: "alice"}
	g := old.DeepCopy()
	g.Annotations[v1alpha1.AnnotationSubmitter] = "bob"
	const at = "metadata.annotations[berth.dev/submitter]"
	wantRefused(t, validate.GangJobUpdate(g, old, world()), at, `"bob": says who created the gang and cannot be changed; set it back to "alice"`)
	delete(g.Annotations, v1alpha1.AnnotationSubmitter)
	wantRefused(t, validate.GangJobUpdate(g, old, world()), at, "cannot be changed")
}

func TestWhoLooksAfterAGangCannotBeChanged(t *testing.T) {
	old := gang(t, "")
	g := old.DeepCopy()
	g.Spec.ManagedBy = "example.com/dispatcher"
	wantRefused(t, validate.GangJobUpdate(g, old, world()), "spec.managedBy", "create another gang")
}

func TestAnOldMistakeKeepsNobodyFromSuspending(t *testing.T) {
	old := gang(t, "pool: h100, topology: {required: rack}")
	w := world()
	w.Pools = w.Pools[1:] // h100 is gone
	g := old.DeepCopy()
	g.Spec.Suspend = true
	wantAccepted(t, validate.GangJobUpdate(g, old, w))

	g.Spec.Priority = 5000
	wantRefused(t, validate.GangJobUpdate(g, old, w), "spec.priority", "must be -1000 to 1000")
}

func TestAGangThatIsDeletedCanBeLetGo(t *testing.T) {
	old := gang(t, "")
	old.Status.Berth = &v1alpha1.BerthStatus{State: v1alpha1.BerthOccupied, Attempt: 1}
	old.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	g := old.DeepCopy()
	g.Finalizers, g.Spec.Priority = nil, 5000
	wantAccepted(t, validate.GangJobUpdate(g, old, world()))
}
