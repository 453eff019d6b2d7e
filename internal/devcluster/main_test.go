package devcluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/internal/devcluster"
)

// childVariable makes this test binary start a cluster, print it and wait to be killed.
const childVariable = "DEVCLUSTER_TEST_CHILD"

// childCluster is what the child prints.
type childCluster struct {
	Dir       string
	Processes map[string]int
}

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		runChild()
	}
	code := m.Run()
	if startedShared {
		if c, err := sharedCluster(); err == nil {
			if err := c.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}
	os.Exit(code)
}

func runChild() {
	ctx, cancel := context.WithTimeout(context.Background(), startDeadline)
	defer cancel()
	c, err := devcluster.Start(ctx, devcluster.Options{})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(childCluster{Dir: c.Dir(), Processes: c.Processes()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

const (
	startDeadline = time.Minute
	waitDeadline  = 30 * time.Second
	gpu           = corev1.ResourceName("nvidia.com/gpu")
	rackLabel     = "example.com/rack"
)

var startedShared bool

// sharedCluster has eight nodes of eight GPUs in two racks. The tests that share it use namespaces and nodes of their
// own.
var sharedCluster = sync.OnceValues(func() (*devcluster.Cluster, error) {
	startedShared = true
	ctx, cancel := context.WithTimeout(context.Background(), startDeadline)
	defer cancel()
	return devcluster.Start(ctx, devcluster.Options{
		PodGroups: true,
		AuditLog:  true,
		Nodes: []devcluster.NodeGroup{{
			Count:    8,
			Labels:   map[string]string{rackLabel: "r{i/4}"},
			Capacity: map[corev1.ResourceName]string{gpu: "8"},
		}},
	})
})

var uses atomic.Int64

// unique makes a name that no other test has used, nor this one when it ran before.
func unique(prefix string) string {
	return fmt.Sprintf("%s-%d", prefix, uses.Add(1))
}

// shared returns the shared cluster, an administrator's client and a context that ends before the test must.
func shared(t *testing.T) (context.Context, *devcluster.Cluster, *kubernetes.Clientset) {
	t.Helper()
	c, err := sharedCluster()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), waitDeadline)
	t.Cleanup(cancel)
	return ctx, c, clientOf(t, c)
}

func clientOf(t *testing.T, c *devcluster.Cluster) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// eventually waits for a condition on the cluster and fails the test when it does not come to hold.
func eventually(ctx context.Context, t *testing.T, c *devcluster.Cluster, description string, holds func(context.Context) (bool, error)) {
	t.Helper()
	if err := c.WaitFor(ctx, description, holds); err != nil {
		t.Fatal(err)
	}
}
