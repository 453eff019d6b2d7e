package devcluster

import (
	"fmt"
	"path/filepath"
	"strconv"

	"k8s.io/apimachinery/pkg/util/version"
)

// podGroupsSince is the first version that serves PodGroups in scheduling.k8s.io/v1beta1.
var podGroupsSince = version.MustParseSemantic("1.36.0")

// component is one process of the control plane.
type component struct {
	name string
	args []string
}

// plan holds what the command lines of all components depend on.
type plan struct {
	dir           string
	etcdPort      int
	apiServerPort int
	podGroups     bool
	auditLog      bool
}

func (p plan) pki(name string) string  { return filepath.Join(p.dir, "pki", name) }
func (p plan) etcdURL() string         { return fmt.Sprintf("https://127.0.0.1:%d", p.etcdPort) }
func (p plan) apiServerURL() string    { return fmt.Sprintf("https://127.0.0.1:%d", p.apiServerPort) }
func (p plan) auditPath() string       { return filepath.Join(p.dir, "logs", "audit.log") }
func (p plan) file(name string) string { return filepath.Join(p.dir, name) }

func (p plan) etcd() component {
	// a single member never talks to its peer address, so that needs no port of its own
	const peer = "http://127.0.0.1:0"
	return component{"etcd", []string{
		"--name=devcluster",
		"--data-dir=" + p.file("etcd"),
		"--unsafe-no-fsync", // the data need not survive the machine
		"--listen-client-urls=" + p.etcdURL(),
		"--advertise-client-urls=" + p.etcdURL(),
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=devcluster=" + peer,
		"--cert-file=" + p.pki("etcd.crt"),
		"--key-file=" + p.pki("etcd.key"),
		"--trusted-ca-file=" + p.pki("etcd-ca.crt"),
		"--client-cert-auth",
		"--log-level=warn",
	}}
}

func (p plan) apiServer() component {
	args := []string{
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(p.apiServerPort),
		"--tls-cert-file=" + p.pki("kube-apiserver.crt"),
		"--tls-private-key-file=" + p.pki("kube-apiserver.key"),
		"--client-ca-file=" + p.pki("ca.crt"),
		"--authorization-mode=Node,RBAC",
		"--etcd-servers=" + p.etcdURL(),
		"--etcd-cafile=" + p.pki("etcd-ca.crt"),
		"--etcd-certfile=" + p.pki("etcd-client.crt"),
		"--etcd-keyfile=" + p.pki("etcd-client.key"),
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + p.pki("service-account.key"),
		"--service-account-signing-key-file=" + p.pki("service-account.key"),
		// aggregated API servers: a Service of type ExternalName leads to a server on this machine
		"--requestheader-client-ca-file=" + p.pki("front-proxy-ca.crt"),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + p.pki("front-proxy.crt"),
		"--proxy-client-key-file=" + p.pki("front-proxy.key"),
		"--endpoint-reconciler-type=none", // a loopback address is no valid endpoint
		"--allow-privileged=true",
		"--profiling=false",
	}
	if p.auditLog {
		args = append(args,
			"--audit-policy-file="+p.file("audit-policy.yaml"),
			"--audit-log-path="+p.auditPath(),
			"--audit-log-maxsize=0", // one file, never rotated: counts must be complete
		)
	}
	return component{"kube-apiserver", p.withPodGroups(args, "--runtime-config=scheduling.k8s.io/v1beta1=true")}
}

func (p plan) controllerManager() component {
	kubeconfig := p.file("kube-controller-manager.kubeconfig")
	return component{"kube-controller-manager", p.withPodGroups([]string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--secure-port=0",
		"--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file=" + p.pki("service-account.key"),
		"--root-ca-file=" + p.pki("ca.crt"),
		"--kube-api-qps=500",
		"--kube-api-burst=1000",
		"--concurrent-job-syncs=20",
		// nodes report rarely, see heartbeatInterval; FailNode does not wait for this
		"--node-monitor-grace-period=20m",
		"--node-startup-grace-period=20m",
		"--node-monitor-period=2s",
		// taint failed nodes at once, not one in ten seconds
		"--node-eviction-rate=100",
		"--secondary-node-eviction-rate=100",
		"--flex-volume-plugin-dir=" + p.file("flexvolume"), // it would make its default in /usr
		"--profiling=false",
	})}
}

func (p plan) scheduler() component {
	kubeconfig := p.file("kube-scheduler.kubeconfig")
	return component{"kube-scheduler", p.withPodGroups([]string{
		"--config=" + p.file("kube-scheduler.yaml"),
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--secure-port=0",
	})}
}

func (p plan) kwok() component {
	return component{"kwok", []string{
		"--kubeconfig=" + p.file("kwok.kubeconfig"),
		"--config=" + p.file("kwok.yaml"),
	}}
}

// withPodGroups appends the feature gate that all servers need for PodGroups, and further arguments.
func (p plan) withPodGroups(args []string, more ...string) []string {
	if !p.podGroups {
		return args
	}
	return append(append(args, "--feature-gates=GenericWorkload=true"), more...)
}
