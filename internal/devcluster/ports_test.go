package devcluster

import (
	"context"
	"net"
	"testing"
	"time"
)

func TestStartGoesOnWhenPortsAreTaken(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	calls := 0
	ports := func(n int) ([]int, error) {
		ports, err := freePorts(n)
		if calls < n { // first etcd's, then kube-apiserver's
			ports[calls] = taken
		}
		calls++
		return ports, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := start(ctx, Options{}, ports)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	if calls != 3 {
		t.Errorf("ports were chosen %d times, want 3", calls)
	}
}
