package devcluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestProgramsRunBesideTheControlPlane(t *testing.T) {
	ctx, c, _ := shared(t)
	kubectl := c.Binary("kubectl")
	config := "--kubeconfig=" + c.Kubeconfig()

	p, err := c.StartProgram(unique("proxy"), kubectl, "proxy", config, "--port=0")
	if err != nil {
		t.Fatal(err)
	}
	eventually(ctx, t, c, "the program writes its log", func(context.Context) (bool, error) {
		raw, err := os.ReadFile(p.Log())
		return strings.Contains(string(raw), "Starting to serve"), err
	})
	if err := p.Stop(10 * time.Second); err != nil {
		t.Errorf("stopping a running program: %v", err)
	}
	if _, err := os.Stat(filepath.Join("/proc", strconv.Itoa(p.PID()))); err == nil {
		t.Errorf("process %d is still there", p.PID())
	}
	if err := c.Err(); err != nil {
		t.Errorf("a program that was stopped counts as a failure: %v", err)
	}
}

func TestAProgramThatEndsByItselfIsAFailureOfTheCluster(t *testing.T) {
	ctx, c, _ := shared(t)
	p, err := c.StartProgram(unique("broken"), c.Binary("kubectl"), "no-such-verb")
	if err != nil {
		t.Fatal(err)
	}
	err = c.WaitFor(ctx, "nothing", func(context.Context) (bool, error) { return false, nil })
	if err == nil || !strings.Contains(err.Error(), "no-such-verb") {
		t.Errorf("want an error with the end of the program's log, got %v", err)
	}
	if err := p.Stop(0); err == nil {
		t.Error("stopping it tells nothing")
	}
	if err := c.Err(); err != nil {
		t.Errorf("it is still a failure after Stop: %v", err)
	}
}
