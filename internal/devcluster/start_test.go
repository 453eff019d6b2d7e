package devcluster

import (
	"testing"
	"context"
	"time"
	corev1 "k8s.io/api/core/v1"
)

func TestStart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	t0 := time.Now()
	c, err := Start(ctx, Options{AuditLog: true, PodGroups: true, KeepDir: true, Nodes: []NodeGroup{{Count: 64, Labels: map[string]string{"rack": "r{i/8}"}, Capacity: map[corev1.ResourceName]string{"nvidia.com/gpu": "8"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Dir(), time.Since(t0))
	t0 = time.Now()
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(t0))
}
