package baseline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/engine"
)

func cluster(p Policy, nodes ...string) *Scheduler {
	s := New(p)
	s.SetPool(engine.Pool{
		Name: "pool", Accelerators: []engine.Accelerator{{Resource: "gpu", Weight: 1}}, Levels: []engine.Level{{Name: "rack", Label: "rack"}},
	})
	for i, name := range nodes {
		s.SetNode(engine.Node{
			Name: name, Ready: true, Allocatable: engine.Amounts{"gpu": 8}, Labels: map[string]string{"rack": []string{"r0", "r1"}[i/2%2]},
		})
	}
	return s
}

func gang(id string, queued engine.Time, pods int, gpus int64) engine.Gang {
	return engine.Gang{ID: id, Queued: queued, Roles: []engine.Role{{
		Name: "w", Count: pods, Floor: pods, Pod: engine.Pod{Requests: engine.Amounts{"gpu": gpus}},
	}}}
}

// decide returns the nodes of each gang that is admitted, and confirms them.
func decide(s *Scheduler) map[string][]string {
	got := map[string][]string{}
	for _, d := range s.Decide(1) {
		got[d.Gang] = d.Slot.Roles[0].Nodes
		g := s.gangs[d.Gang]
		g.Berth = &engine.Berth{State: engine.Occupied, Attempt: 1, Slot: d.Slot}
		s.SetGang(g)
	}
	return got
}

func TestPoliciesPlacePods(t *testing.T) {
	for name, test := range map[string]struct {
		policy Policy
		want   []string
	}{
		"first fit fills the first node": {FirstFit{}, []string{"a", "a", "b"}},
		"spread takes the emptiest":      {Spread{}, []string{"a", "b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := decide2(cluster(test.policy, "a", "b", "c"), gang("x", 1, 3, 3))
			if diff := cmp.Diff(test.want, got["x"]); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		})
	}
}

func decide2(s *Scheduler, gangs ...engine.Gang) map[string][]string {
	for _, g := range gangs {
		s.SetGang(g)
	}
	return decide(s)
}

func TestGangsAreTakenInOrderWholeOrNotAtAll(t *testing.T) {
	s := cluster(FirstFit{}, "a", "b")
	got := decide2(s, gang("late", 3, 1, 8), gang("large", 2, 3, 8), gang("first", 1, 1, 8), gang("last", 4, 1, 8))
	if diff := cmp.Diff(map[string][]string{"first": {"a"}, "late": {"b"}}, got); diff != "" {
		t.Errorf("admitted (-want +got):\n%s", diff)
	}
	if more := s.Decide(2); more != nil {
		t.Errorf("with nothing changed: got %v, want nothing", more)
	}
	s.RemoveGang("first")
	if diff := cmp.Diff(map[string][]string{"last": {"a"}}, decide(s)); diff != "" {
		t.Errorf("after the first is gone (-want +got):\n%s", diff)
	}
}

func TestPodsGoOnlyWhereTheyMay(t *testing.T) {
	s := cluster(FirstFit{}, "a", "b", "c", "d")
	s.SetNode(engine.Node{Name: "a", Allocatable: engine.Amounts{"gpu": 8}})
	s.SetNode(engine.Node{Name: "b", Ready: true, Cordoned: true, Allocatable: engine.Amounts{"gpu": 8}})
	s.SetNode(engine.Node{
		Name: "c", Ready: true, Allocatable: engine.Amounts{"gpu": 8}, Taints: []engine.Taint{{Key: "k", Value: "v", Effect: "NoSchedule"}},
	})
	s.SetForeign(engine.Foreign{Name: "f", Node: "d", Requests: engine.Amounts{"gpu": 1}})
	plain, tolerant := gang("plain", 1, 1, 8), gang("tolerant", 2, 1, 8)
	tolerant.Roles[0].Pod.Tolerations = []engine.Toleration{{Key: "k", Operator: "Equal", Value: "v"}}
	if diff := cmp.Diff(map[string][]string{"tolerant": {"c"}}, decide2(s, plain, tolerant)); diff != "" {
		t.Errorf("admitted (-want +got):\n%s", diff)
	}
	s.RemoveForeign("f")
	if diff := cmp.Diff(map[string][]string{"plain": {"d"}}, decide(s)); diff != "" {
		t.Errorf("after the foreign pod is gone (-want +got):\n%s", diff)
	}
}

func TestSelectorsHoldAsInKubernetes(t *testing.T) {
	n := &Node{Node: engine.Node{Name: "n1", Labels: map[string]string{"zone": "a", "size": "7"}}}
	one := func(key string, op engine.Operator, values ...string) engine.Selector {
		return engine.Selector{{{Key: key, Operator: op, Values: values}}}
	}
	for name, test := range map[string]struct {
		selector engine.Selector
		want     bool
	}{
		"none": {nil, true}, "an empty term": {engine.Selector{{}}, false},
		"In": {one("zone", engine.In, "b", "a"), true}, "not In": {one("zone", engine.In, "b"), false},
		"NotIn of an absent label": {one("color", engine.NotIn, "red"), true}, "NotIn": {one("zone", engine.NotIn, "a"), false},
		"Exists": {one("zone", engine.Exists), true}, "DoesNotExist": {one("zone", engine.DoesNotExist), false},
		"Gt": {one("size", engine.Gt, "6"), true}, "not Gt": {one("size", engine.Gt, "7"), false},
		"Lt": {one("size", engine.Lt, "8"), true}, "Lt of no number": {one("zone", engine.Lt, "8"), false},
		"the name":         {one(engine.NameKey, engine.In, "n1"), true},
		"one of two terms": {append(one("zone", engine.In, "b"), one("size", engine.Exists)...), true},
	} {
		if got := n.selected(test.selector); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
