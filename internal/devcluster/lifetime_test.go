package devcluster_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/devcluster"
)

// alive lists the processes that still run, zombies not counted.
func alive(t *testing.T, processes map[string]int) []string {
	t.Helper()
	var names []string
	for name, pid := range processes {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if strings.Contains(string(line), name) {
			names = append(names, name)
		}
	}
	return names
}

func needProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("processes are looked up in /proc")
	}
}

func TestKilledParentLeavesNoProcess(t *testing.T) {
	needProc(t)
	ctx, c, _ := shared(t) // its context bounds the wait
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), childVariable+"=1")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadBytes('\n')
	var cluster childCluster
	if err := errors.Join(readErr, json.Unmarshal(line, &cluster)); err != nil {
		t.Fatalf("the child said %q: %v", line, errors.Join(err, child.Process.Kill(), child.Wait()))
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(cluster.Dir); err != nil {
			t.Error(err)
		}
	})
	if running := alive(t, cluster.Processes); len(running) != 5 {
		t.Errorf("before the kill %v run, want five processes", running)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // "signal: killed" is what we asked for
	eventually(ctx, t, c, "all processes of the killed program are gone", func(context.Context) (bool, error) {
		return len(alive(t, cluster.Processes)) == 0, nil
	})
}

func TestClustersAreIndependent(t *testing.T) {
	needProc(t)
	ctx, first, client := shared(t)
	second, err := devcluster.Start(ctx, devcluster.Options{Nodes: []devcluster.NodeGroup{{Count: 1, Name: "only"}}})
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := clientOf(t, second).CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Error(err)
	} else if len(nodes.Items) != 1 || nodes.Items[0].Name != "only" {
		t.Errorf("the second cluster has %d nodes, want its own one", len(nodes.Items))
	}
	if first.Dir() == second.Dir() {
		t.Errorf("both clusters use %s", first.Dir())
	}
	processes := second.Processes()
	if err := second.Stop(); err != nil {
		t.Fatal(err)
	}
	if running := alive(t, processes); len(running) > 0 {
		t.Errorf("%v run after Stop", running)
	}
	if _, err := os.Stat(second.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder after Stop: %v, want it gone", err)
	}
	if err := first.Err(); err != nil {
		t.Error(err)
	}
	if _, err := client.CoreV1().Nodes().Get(ctx, "n0", metav1.GetOptions{}); err != nil {
		t.Errorf("the first cluster after the second's end: %v", err)
	}
}

func TestDetachedClusterIsStoppedByItsFolder(t *testing.T) {
	needProc(t)
	ctx, _, _ := shared(t)
	c, err := devcluster.Start(ctx, devcluster.Options{Detach: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := devcluster.StopDetached(c.Dir()); err != nil {
		t.Fatal(errors.Join(err, c.Stop()))
	}
	if running := alive(t, c.Processes()); len(running) > 0 {
		t.Errorf("%v run after StopDetached", running)
	}
	if err := devcluster.StopDetached(c.Dir()); err == nil {
		t.Error("a folder that is gone was stopped again")
	}
	if err := c.Err(); err == nil {
		t.Error("the cluster does not notice that its processes are gone")
	}
}

func TestPodGroupsAreServedOnlyWhenAsked(t *testing.T) {
	ctx, c, client := shared(t)
	_, err := client.Discovery().ServerResourcesForGroupVersion("scheduling.k8s.io/v1beta1")
	if served := err == nil; served != c.HasPodGroups() {
		t.Errorf("scheduling.k8s.io/v1beta1 on %s: %v, but HasPodGroups says %v", c.Version(), err, c.HasPodGroups())
	}
	if os.Getenv("BERTH_TEST_KUBERNETES") == "" && !c.HasPodGroups() {
		t.Errorf("the default version %s serves no PodGroups", c.Version())
	}
	without, err := devcluster.Start(ctx, devcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := without.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := clientOf(t, without).Discovery().ServerResourcesForGroupVersion("scheduling.k8s.io/v1beta1"); err == nil {
		t.Error("scheduling.k8s.io/v1beta1 is served without being asked for")
	}
}
