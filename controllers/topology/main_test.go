package topology_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/controllers/topology"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devcontrol"
	"github.com/berth-dev/berth/internal/summary"
)

const (
	gpu        = "nvidia.com/gpu"
	poolLabel  = "example.com/pool"
	spineLabel = "example.com/spine"
	rackLabel  = "example.com/rack"
)

// interval is how far apart a status is written in these tests.
const interval = time.Second

var world devcontrol.World

func TestMain(m *testing.M) {
	os.Exit(devcontrol.Main(m, &world, "../..", devcluster.Options{AuditLog: true}, func(p devcontrol.Parts) []devcontrol.Controller {
		return []devcontrol.Controller{&topology.Reconciler{
			Client: p.Client, State: p.State, Clock: p.Clock, Synced: p.Synced, Pace: summary.NewPace(interval),
		}}
	}))
}

// nodes are count nodes of 8 GPUs in a pool, called <pool>-<spine><rack>-<i>, so that every rack has nodes of its own.
func nodes(pool, spine, rack string, count int) devcluster.NodeGroup {
	return devcluster.NodeGroup{
		Count:    count,
		Name:     fmt.Sprintf("%s-%s%s-{i}", pool, spine, rack),
		Labels:   map[string]string{poolLabel: pool, spineLabel: spine, rackLabel: rack},
		Capacity: map[corev1.ResourceName]string{gpu: "8"},
	}
}

// pool is a pool of spines and racks.
func pool(name string) *v1alpha1.TopologyDomain {
	return &v1alpha1.TopologyDomain{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.TopologyDomainSpec{
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: name}},
			Levels: []v1alpha1.TopologyLevel{
				{Name: "spine", NodeLabel: spineLabel},
				{Name: "rack", NodeLabel: rackLabel},
			},
		},
	}
}
