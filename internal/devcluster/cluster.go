package devcluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// startAttempts bounds how often a cluster is started anew because another program took one of its ports.
const startAttempts = 5

// Cluster is a running control plane.
type Cluster struct {
	opts   Options
	assets *assets
	dir    string
	ca     *authority
	url    string
	audit  string // path, or empty
	groups bool   // PodGroups are served

	admin  *rest.Config // of the user
	own    *rest.Config // of this package, by another name, so that the audit log tells them apart
	client *kubernetes.Clientset

	mu        sync.Mutex
	processes []*process // in the order of their start
	ports     func(n int) ([]int, error)
	nodes     atomic.Int64 // ever made, for their addresses
	stopOnce  sync.Once
	stopErr   error
}

// Start runs a cluster and returns when its API server is ready, its controllers work and its nodes are Ready. The
// context bounds the start alone: the cluster runs until Stop, or until the program ends. On an error nothing is left
// running, and the message holds the end of the log of what failed.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	return start(ctx, opts, freePorts)
}

// start is Start with ports from somewhere else.
func start(ctx context.Context, opts Options, ports func(n int) ([]int, error)) (*Cluster, error) {
	opts.Version = cmp.Or(opts.Version, os.Getenv(versionVariable))
	found, err := findAssets(ctx, opts)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "berth-devcluster-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{opts: opts, assets: found, dir: dir, ports: ports}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting a cluster in %s: %w", dir, err), c.Stop())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	var err error
	if c.ca, err = writePKI(c.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(c.dir, "logs"), 0o700); err != nil {
		return err
	}
	p, err := c.startServers(ctx)
	if err != nil {
		return err
	}
	for _, part := range []component{p.controllerManager(), p.scheduler(), p.kwok()} {
		if err := c.run(part); err != nil {
			return err
		}
	}
	if err := c.AddNodes(ctx, c.opts.Nodes...); err != nil {
		return err
	}
	return c.waitControllers(ctx)
}

// startServers starts etcd and kube-apiserver, again on other ports where somebody took theirs, and returns the plan
// that the others follow.
func (c *Cluster) startServers(ctx context.Context) (plan, error) {
	c.groups = c.opts.PodGroups && c.assets.version.AtLeast(podGroupsSince)
	for attempt := 1; ; attempt++ {
		ports, err := c.ports(2)
		if err != nil {
			return plan{}, err
		}
		p := plan{
			dir: c.dir, etcdPort: ports[0], apiServerPort: ports[1],
			podGroups: c.groups, auditLog: c.opts.AuditLog,
		}
		err = c.tryServers(ctx, p)
		var exit *exitError
		if err == nil || attempt == startAttempts || !errors.As(err, &exit) || !exit.portTaken() {
			return p, err
		}
		if err := c.reset(p); err != nil {
			return plan{}, err
		}
	}
}

func (c *Cluster) tryServers(ctx context.Context, p plan) error {
	c.url = p.apiServerURL()
	if c.opts.AuditLog {
		c.audit = p.auditPath()
	}
	var err error
	if c.admin, err = c.ConfigFor("admin", mastersGroup); err != nil {
		return err
	}
	if c.own, err = c.ConfigFor("devcluster", mastersGroup); err != nil {
		return err
	}
	binary := rest.CopyConfig(c.own)
	binary.ContentType = runtime.ContentTypeProtobuf
	if c.client, err = kubernetes.NewForConfig(binary); err != nil {
		return err
	}
	if err := p.writeConfigFiles(); err != nil {
		return err
	}
	if err := c.writeKubeconfigs(p); err != nil {
		return err
	}
	if err := c.run(p.etcd()); err != nil {
		return err
	}
	if err := c.run(p.apiServer()); err != nil { // it waits for etcd by itself
		return err
	}
	return c.waitAPIServer(ctx)
}

// reset ends what runs and forgets its data and logs, before another attempt.
func (c *Cluster) reset(p plan) error {
	c.killAll()
	c.mu.Lock()
	c.processes = nil
	c.mu.Unlock()
	for _, name := range []string{"etcd", "logs"} {
		if err := os.RemoveAll(p.file(name)); err != nil {
			return err
		}
	}
	return os.MkdirAll(p.file("logs"), 0o700)
}

// run starts a component of the control plane.
func (c *Cluster) run(part component) error {
	_, err := c.runBinary(part, c.Binary(part.name))
	return err
}

func (c *Cluster) runBinary(part component, binary string) (*process, error) {
	p, err := startProcess(c.dir, part.name, binary, c.opts.Detach, part.args...)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.processes = append(c.processes, p)
	c.mu.Unlock()
	if c.opts.Detach {
		return p, c.writeState()
	}
	return p, nil
}

// running is a copy of the list of processes.
func (c *Cluster) running() []*process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.processes)
}

// Stop ends all processes of the cluster, waits until they are gone, and removes its folder unless Options.KeepDir is
// set. Further calls do nothing.
func (c *Cluster) Stop() error {
	c.stopOnce.Do(func() {
		c.killAll()
		if !c.opts.KeepDir {
			c.stopErr = os.RemoveAll(c.dir)
		}
	})
	return c.stopErr
}

// killAll ends clients before the servers that they talk to, so that the logs do not fill with lost connections.
func (c *Cluster) killAll() {
	for _, p := range slices.Backward(c.running()) {
		p.kill()
	}
}

// Dir is the cluster's folder: data, logs, pki and kubeconfigs.
func (c *Cluster) Dir() string { return c.dir }

// Binary is the path of a program of the cluster's version: kubectl, etcd, kwok or a component of the control plane.
func (c *Cluster) Binary(name string) string { return c.assets.paths[name] }

// Version is the version of the API server, such as "v1.37.2".
func (c *Cluster) Version() string { return "v" + c.assets.version.String() }

// HasPodGroups tells whether scheduling.k8s.io/v1beta1 is served.
func (c *Cluster) HasPodGroups() bool { return c.groups }

// Processes are the ids of the cluster's processes by name.
func (c *Cluster) Processes() map[string]int {
	ids := map[string]int{}
	for _, p := range c.running() {
		ids[p.name] = p.cmd.Process.Pid
	}
	return ids
}

// Err reports components that have ended by themselves, with the ends of their logs.
func (c *Cluster) Err() error {
	var failures []error
	for _, p := range c.running() {
		failures = append(failures, p.failure())
	}
	return errors.Join(failures...)
}
