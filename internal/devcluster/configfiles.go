package devcluster

import (
	"fmt"
	"os"
)

// auditPolicy records requests without their bodies, once each, when they are complete.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  nonResourceURLs: ["/healthz*", "/livez*", "/readyz*", "/api*", "/openapi*", "/version"]
- level: Metadata
`

// schedulerConfig is the default profile with clients that are not slowed down.
const schedulerConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
clientConnection:
  kubeconfig: %q
  qps: 500
  burst: 1000
enableProfiling: false
`

// writeConfigFiles writes the files that the components' flags name, but for the kubeconfigs.
func (p plan) writeConfigFiles() error {
	stages, err := kwokConfig()
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"audit-policy.yaml":   []byte(auditPolicy),
		"kube-scheduler.yaml": fmt.Appendf(nil, schedulerConfig, p.file("kube-scheduler.kubeconfig")),
		"kwok.yaml":           stages,
	}
	for name, content := range files {
		if err := os.WriteFile(p.file(name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeKubeconfigs writes one kubeconfig a component, and the administrator's.
func (c *Cluster) writeKubeconfigs(p plan) error {
	for file, identity := range map[string][]string{
		"admin.kubeconfig":                   {"admin", mastersGroup},
		"kwok.kubeconfig":                    {"kwok", mastersGroup},
		"kube-controller-manager.kubeconfig": {"system:kube-controller-manager"},
		"kube-scheduler.kubeconfig":          {"system:kube-scheduler"},
	} {
		if err := c.WriteKubeconfig(p.file(file), identity[0], identity[1:]...); err != nil {
			return err
		}
	}
	return nil
}
