package topology_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
)

// occupant is a pod of somebody else that uses GPUs of a node.
func occupant(name, node, gpus string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec: corev1.PodSpec{
			NodeName: node,
			Containers: []corev1.Container{{
				Name: "main", Image: "registry.example.com/main",
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{gpu: resource.MustParse(gpus)}},
			}},
		},
	}
}

func TestTheMapFollowsWhatIsUsed(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("used", "s0", "r0", 2), nodes("used", "s0", "r1", 1))
	world.Create(t, pool("used"))
	eventuallyDrawn(t, "used", "used.s0", "used.s0.r0", "used.s0.r1")

	pod := occupant("used", "used-s0r0-0", "3")
	world.Create(t, pod)
	world.EventuallyRow(t, "topologydomains", "used.s0.r0", map[string]string{
		"Total": "16", "Free": "13", "Largest Slot": "8", "Frag": "0.384", "Health": "Healthy",
	})
	world.EventuallyRow(t, "topologydomains", "used.s0.r1", map[string]string{"Free": "8", "Largest Slot": "8", "Frag": "0.000"})
	world.EventuallyRow(t, "topologydomains", "used", map[string]string{
		"Total": "24", "Free": "21", "Largest Slot": "16", "Frag": "0.238",
	})

	if err := world.Client.Delete(t.Context(), pod, client.GracePeriodSeconds(0)); err != nil {
		t.Fatal(err)
	}
	world.EventuallyRow(t, "topologydomains", "used.s0.r0", map[string]string{"Free": "16", "Largest Slot": "16", "Frag": "0.000"})
}

func TestPiecesOfAcceleratorsCountByTheirWeight(t *testing.T) {
	t.Parallel()
	group := nodes("mig", "s0", "r0", 1)
	group.Capacity = map[corev1.ResourceName]string{gpu: "4", "nvidia.com/mig-1g.10gb": "14"}
	world.AddNodes(t, group)
	root := pool("mig")
	root.Spec.Accelerators = []v1alpha1.Accelerator{
		{Resource: gpu}, {Resource: "nvidia.com/mig-1g.10gb", Weight: resource.MustParse("143m")},
	}
	world.Create(t, root)
	world.EventuallyRow(t, "topologydomains", "mig.s0.r0", map[string]string{"Total": "6002m", "Free": "6002m"})
}

func TestHealthTellsHowManyNodesCanBeUsed(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("ill", "s0", "r0", 2))
	world.Create(t, pool("ill"))
	world.EventuallyRow(t, "topologydomains", "ill.s0.r0", map[string]string{"Health": "Healthy", "Ready": "2"})

	if err := world.Cluster.FailNode(t.Context(), "ill-s0r0-0"); err != nil {
		t.Fatal(err)
	}
	world.EventuallyRow(t, "topologydomains", "ill.s0.r0", map[string]string{
		"Health": "Degraded", "Ready": "1", "Nodes": "2", "Total": "16", "Free": "8", "Largest Slot": "8",
	})
	other := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "ill-s0r0-1"}}
	devcontrol.Change(t, &world, other, func(n *corev1.Node) { n.Spec.Unschedulable = true })
	for _, name := range []string{"ill.s0.r0", "ill"} {
		world.EventuallyRow(t, "topologydomains", name, map[string]string{"Health": "Unhealthy", "Ready": "0", "Free": "0"})
	}
	if err := world.Cluster.RecoverNode(t.Context(), "ill-s0r0-0"); err != nil {
		t.Fatal(err)
	}
	devcontrol.Change(t, &world, other, func(n *corev1.Node) { n.Spec.Unschedulable = false })
	world.EventuallyRow(t, "topologydomains", "ill", map[string]string{"Health": "Healthy", "Ready": "2", "Free": "16"})
}

func TestACordonedDomainIsOutOfUseUntilItsUserTakesTheCordonBack(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("shut", "s0", "r0", 1), nodes("shut", "s0", "r1", 1))
	world.Create(t, pool("shut"))
	eventuallyDrawn(t, "shut", "shut.s0", "shut.s0.r0", "shut.s0.r1")

	rack := &v1alpha1.TopologyDomain{ObjectMeta: metav1.ObjectMeta{Name: "shut.s0.r1"}}
	devcontrol.Change(t, &world, rack, func(d *v1alpha1.TopologyDomain) { d.Spec.Cordoned = true })
	world.EventuallyRow(t, "topologydomains", "shut.s0.r1", map[string]string{
		"Health": "Cordoned", "Cordoned": "true", "Free": "0", "Total": "8", "Ready": "0",
	})
	world.EventuallyRow(t, "topologydomains", "shut", map[string]string{"Health": "Degraded", "Free": "8", "Total": "16", "Ready": "1"})

	remove(t, "shut-s0r1-0") // as a node that is set up anew
	world.EventuallyRow(t, "topologydomains", "shut.s0.r1", map[string]string{"Health": "Empty", "Cordoned": "true", "Nodes": "0"})
	world.AddNodes(t, nodes("shut", "s0", "r1", 1))
	world.EventuallyRow(t, "topologydomains", "shut.s0.r1", map[string]string{"Health": "Cordoned", "Cordoned": "true", "Nodes": "1", "Free": "0"})

	devcontrol.Change(t, &world, rack, func(d *v1alpha1.TopologyDomain) { d.Spec.Cordoned = false })
	world.EventuallyRow(t, "topologydomains", "shut.s0.r1", map[string]string{"Health": "Healthy", "Free": "8"})
	world.EventuallyRow(t, "topologydomains", "shut", map[string]string{"Health": "Healthy", "Free": "16"})

	devcontrol.Change(t, &world, pool("shut"), func(d *v1alpha1.TopologyDomain) { d.Spec.Cordoned = true })
	for _, name := range []string{"shut", "shut.s0", "shut.s0.r0"} {
		world.EventuallyRow(t, "topologydomains", name, map[string]string{"Health": "Cordoned", "Free": "0"})
	}
}

func TestAnEmptyDomainGoesOnceItsCordonIsTakenBack(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("kept", "s0", "r0", 1), nodes("kept", "s0", "r1", 1))
	world.Create(t, pool("kept"))
	eventuallyDrawn(t, "kept", "kept.s0", "kept.s0.r0", "kept.s0.r1")
	rack := &v1alpha1.TopologyDomain{ObjectMeta: metav1.ObjectMeta{Name: "kept.s0.r1"}}
	devcontrol.Change(t, &world, rack, func(d *v1alpha1.TopologyDomain) { d.Spec.Cordoned = true })
	remove(t, "kept-s0r1-0")
	world.EventuallyRow(t, "topologydomains", "kept.s0.r1", map[string]string{"Health": "Empty"})
	devcontrol.Change(t, &world, rack, func(d *v1alpha1.TopologyDomain) { d.Spec.Cordoned = false })
	eventuallyDrawn(t, "kept", "kept.s0", "kept.s0.r0")
}

func TestAStatusIsWrittenOnceAnIntervalAndOnlyWhenItChanges(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("pace", "s0", "r0", 1), nodes("pace", "s0", "r1", 1))
	world.Create(t, pool("pace"))
	world.EventuallyRow(t, "topologydomains", "pace", map[string]string{"Nodes": "2"})
	world.EventuallyRow(t, "topologydomains", "pace.s0.r1", map[string]string{"Free": "8"})

	// The load of the one rack changes as fast as it can be written, over several intervals.
	for i, end := 0, time.Now().Add(4*interval); time.Now().Before(end); i++ {
		pod := occupant(fmt.Sprintf("pace-%d", i), "pace-s0r0-0", "8")
		world.Create(t, pod)
		if err := world.Client.Delete(t.Context(), pod, client.GracePeriodSeconds(0)); err != nil {
			t.Fatal(err)
		}
	}
	world.Create(t, occupant("pace", "pace-s0r0-0", "5"))
	world.EventuallyRow(t, "topologydomains", "pace.s0.r0", map[string]string{"Free": "3"})

	busy, quiet := writes(t, "pace.s0.r0"), writes(t, "pace.s0.r1")
	if len(quiet) > 2 { // as it was drawn, and its nodes came
		t.Errorf("the rack that nothing happened to was written %d times", len(quiet))
	}
	if len(busy) < 3 {
		t.Errorf("the busy rack was written %d times, want once in most of 4 intervals", len(busy))
	}
	for i := 1; i < len(busy); i++ {
		// The server sees requests a little late, and not all of them equally so.
		if apart := busy[i].Time.Sub(busy[i-1].Time); apart < interval*8/10 {
			t.Errorf("the busy rack was written %s after the last time, want at least %s", apart, interval)
		}
	}
}

// writes are those to the status of a domain that were accepted.
func writes(t *testing.T, name string) []devcluster.AuditEvent {
	t.Helper()
	var found []devcluster.AuditEvent
	world.Eventually(t, "the log tells of the writes", func(context.Context) string {
		var err error
		found, err = world.Cluster.AuditEvents(func(e devcluster.AuditEvent) bool {
			return e.Verb == "patch" && e.Resource == "topologydomains" && e.Subresource == "status" && e.Name == name &&
				strings.HasSuffix(e.User, ":berth-manager") && e.Code == 200
		})
		switch {
		case err != nil:
			return err.Error()
		case len(found) == 0:
			return "it tells of none"
		}
		return ""
	})
	return found
}
