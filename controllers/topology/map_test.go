package topology_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
)

// domains are the domains of a pool that there are, by name.
func domains(ctx context.Context, pool string) (map[string]v1alpha1.TopologyDomain, error) {
	var list v1alpha1.TopologyDomainList
	if err := world.Client.List(ctx, &list, client.MatchingLabels{v1alpha1.LabelPool: pool}); err != nil {
		return nil, err
	}
	out := map[string]v1alpha1.TopologyDomain{}
	for _, d := range list.Items {
		out[d.Name] = d
	}
	return out, nil
}

// eventuallyDrawn waits until the domains of a pool have exactly these names.
func eventuallyDrawn(t *testing.T, pool string, want ...string) {
	t.Helper()
	slices.Sort(want)
	world.Eventually(t, "the domains of pool "+pool+" are drawn", func(ctx context.Context) string {
		found, err := domains(ctx, pool)
		if err != nil {
			return err.Error()
		}
		got := []string{}
		for name := range found {
			got = append(got, name)
		}
		slices.Sort(got)
		return cmp.Diff(append([]string{}, want...), got)
	})
}

func TestEveryDomainOfAPoolIsDrawnEvenWhereRacksAreNumberedPerSpine(t *testing.T) {
	t.Parallel()
	root := pool("drawn")
	world.AddNodes(t, nodes("drawn", "s0", "r0", 2), nodes("drawn", "s0", "r1", 1), nodes("drawn", "s1", "r0", 1))
	world.Create(t, root)
	eventuallyDrawn(t, "drawn", "drawn.s0", "drawn.s0.r0", "drawn.s0.r1", "drawn.s1", "drawn.s1.r0")

	found, err := domains(t.Context(), "drawn")
	if err != nil {
		t.Fatal(err)
	}
	rack := found["drawn.s1.r0"]
	if diff := cmp.Diff(v1alpha1.TopologyDomainSpec{Pool: "drawn", Level: "rack", Path: []string{"s1", "r0"}}, rack.Spec); diff != "" {
		t.Errorf("the rack's spec (-want +got):\n%s", diff)
	}
	labels := map[string]string{v1alpha1.LabelPool: "drawn", v1alpha1.LabelLevel: "rack", v1alpha1.LabelParent: "drawn.s1"}
	if diff := cmp.Diff(labels, rack.Labels); diff != "" {
		t.Errorf("the rack's labels (-want +got):\n%s", diff)
	}
	if spine := found["drawn.s1"]; spine.Labels[v1alpha1.LabelParent] != "drawn" {
		t.Errorf("around the spine is %q, want the pool", spine.Labels[v1alpha1.LabelParent])
	}
	if !metav1.IsControlledBy(&rack, root) {
		t.Errorf("the rack's owners are %v, want the pool", rack.OwnerReferences)
	}
	for name, want := range map[string]map[string]string{
		"drawn": {
			"Pool": "drawn", "Level": "pool", "Nodes": "4", "Total": "32", "Free": "32", "Largest Slot": "32", "Frag": "0.000",
			"Health": "Healthy", "Ready": "4", "Path": "",
		},
		"drawn.s0":    {"Pool": "drawn", "Level": "spine", "Nodes": "3", "Total": "24", "Path": "s0"},
		"drawn.s0.r0": {"Pool": "drawn", "Level": "rack", "Nodes": "2", "Total": "16", "Path": "s0/r0"},
		"drawn.s1.r0": {"Pool": "drawn", "Level": "rack", "Nodes": "1", "Total": "8", "Path": "s1/r0", "Health": "Healthy"},
	} {
		world.EventuallyRow(t, "topologydomains", name, want)
	}
}

func TestDomainsGoWithTheirNodesAndLevels(t *testing.T) {
	t.Parallel()
	root := pool("gone")
	world.AddNodes(t, nodes("gone", "s0", "r0", 1), nodes("gone", "s0", "r1", 1))
	world.Create(t, root)
	eventuallyDrawn(t, "gone", "gone.s0", "gone.s0.r0", "gone.s0.r1")

	remove(t, "gone-s0r1-0")
	eventuallyDrawn(t, "gone", "gone.s0", "gone.s0.r0")

	devcontrol.Change(t, &world, root, func(d *v1alpha1.TopologyDomain) { d.Spec.Levels = d.Spec.Levels[1:] })
	eventuallyDrawn(t, "gone", "gone.r0")
}

func TestADomainThatSomebodyDeletesIsDrawnAgain(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("again", "s0", "r0", 1))
	world.Create(t, pool("again"))
	eventuallyDrawn(t, "again", "again.s0", "again.s0.r0")
	before, err := domains(t.Context(), "again")
	if err != nil {
		t.Fatal(err)
	}
	old := before["again.s0.r0"]
	if err := world.Client.Delete(t.Context(), &old); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "the rack is there again", func(ctx context.Context) string {
		now, err := domains(ctx, "again")
		if err != nil {
			return err.Error()
		}
		if rack := now["again.s0.r0"]; rack.UID == old.UID || rack.Status.Nodes != 1 {
			return "it is not"
		}
		return ""
	})
}

func TestThePresetOfAVendorStandsForItsLevels(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, devcluster.NodeGroup{
		Count: 2, Name: "preset-{i}", Capacity: map[corev1.ResourceName]string{gpu: "8"},
		Labels: map[string]string{
			poolLabel: "preset", "cloud.google.com/gce-topology-block": "b0", "cloud.google.com/gce-topology-subblock": "sb{i}",
		},
	})
	root := pool("preset")
	root.Spec.Levels, root.Spec.Preset = nil, v1alpha1.PresetGKE
	world.Create(t, root)
	eventuallyDrawn(t, "preset", "preset.b0", "preset.b0.sb0", "preset.b0.sb1")
	world.EventuallyRow(t, "topologydomains", "preset.b0.sb1", map[string]string{"Level": "subblock", "Nodes": "1", "Total": "8"})
}

func TestNodesWithoutALevelsLabelAreNamedAndDrawNoDomain(t *testing.T) {
	t.Parallel()
	lost := nodes("lost", "s0", "r0", 1)
	lost.Name = "lost-one"
	delete(lost.Labels, rackLabel)
	world.AddNodes(t, lost, nodes("lost", "s0", "r0", 1))
	world.Create(t, pool("lost"))
	eventuallyDrawn(t, "lost", "lost.s0", "lost.s0.r0")
	eventuallyCondition(t, "lost", v1alpha1.ConditionActive, metav1.ConditionTrue,
		"nodes that lack the label of a level stand in no domain of it, each alone: lost-one")
	world.EventuallyRow(t, "topologydomains", "lost.s0", map[string]string{"Nodes": "2", "Total": "16"})
}

func TestNodesThatTwoPoolsSelectAreTheOldersAndTheYoungerSaysSo(t *testing.T) {
	t.Parallel()
	world.AddNodes(t, nodes("older", "s0", "r0", 2))
	older, younger := pool("older"), pool("a-younger")
	younger.Spec.NodeSelector = older.Spec.NodeSelector
	world.Create(t, older)
	eventuallyDrawn(t, "older", "older.s0", "older.s0.r0")
	for { // creation times are whole seconds, and the order of names is not to decide here
		world.Create(t, younger)
		if younger.CreationTimestamp.After(older.CreationTimestamp.Time) {
			break
		}
		if err := world.Client.Delete(t.Context(), younger); err != nil {
			t.Fatal(err)
		}
		younger = &v1alpha1.TopologyDomain{ObjectMeta: metav1.ObjectMeta{Name: "a-younger"}, Spec: younger.Spec}
	}
	eventuallyCondition(t, "a-younger", v1alpha1.ConditionOverlapping, metav1.ConditionTrue,
		"node older-s0r0-0 belongs to pool older; node older-s0r0-1 belongs to pool older; a node that two pools select is the older one's")
	eventuallyCondition(t, "older", v1alpha1.ConditionOverlapping, metav1.ConditionFalse, "")
	world.EventuallyRow(t, "topologydomains", "a-younger", map[string]string{"Nodes": "0", "Total": "0", "Health": "Empty"})

	if err := world.Client.Delete(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	eventuallyCondition(t, "a-younger", v1alpha1.ConditionOverlapping, metav1.ConditionFalse, "")
	eventuallyDrawn(t, "a-younger", "a-younger.s0", "a-younger.s0.r0")
}

func TestADomainWhoseNameIsTakenLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	squatter := pool("taken.s0")
	world.Create(t, squatter)
	world.AddNodes(t, nodes("taken", "s0", "r0", 1), nodes("taken", "s1", "r0", 1))
	world.Create(t, pool("taken"))
	eventuallyDrawn(t, "taken", "taken.s0.r0", "taken.s1", "taken.s1.r0")
	eventuallyCondition(t, "taken", v1alpha1.ConditionActive, metav1.ConditionTrue,
		"domains are not drawn because a TopologyDomain that is not of this pool has their name; delete or rename taken.s0")
	world.EventuallyRow(t, "topologydomains", "taken", map[string]string{"Nodes": "2", "Health": "Healthy"})
	if err := world.Client.Delete(t.Context(), squatter); err != nil {
		t.Fatal(err)
	}
	eventuallyDrawn(t, "taken", "taken.s0", "taken.s0.r0", "taken.s1", "taken.s1.r0")
	eventuallyCondition(t, "taken", v1alpha1.ConditionActive, metav1.ConditionTrue, "")
}

// eventuallyCondition waits until a condition of a pool has a status and a message.
func eventuallyCondition(t *testing.T, pool, kind string, status metav1.ConditionStatus, message string) {
	t.Helper()
	world.Eventually(t, "condition "+kind+" of pool "+pool+" is right", func(ctx context.Context) string {
		var d v1alpha1.TopologyDomain
		if err := world.Client.Get(ctx, client.ObjectKey{Name: pool}, &d); err != nil {
			return err.Error()
		}
		got := meta.FindStatusCondition(d.Status.Conditions, kind)
		if got == nil {
			return "it is missing"
		}
		return cmp.Diff([]string{string(status), message}, []string{string(got.Status), got.Message})
	})
}

func remove(t *testing.T, node string) {
	t.Helper()
	if err := world.Client.Delete(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}); err != nil {
		t.Fatal(err)
	}
}
