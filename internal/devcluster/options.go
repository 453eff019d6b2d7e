package devcluster

import (
	corev1 "k8s.io/api/core/v1"
)

// versionVariable is the environment variable that Options.Version defaults to.
const versionVariable = "BERTH_TEST_KUBERNETES"

// Options says what cluster to start. The zero value is a cluster without nodes of the default Kubernetes version.
type Options struct {
	// Version is the Kubernetes series, such as "1.34"; there must be a module hack/controlplane/kubernetes-<series>.
	// Default: the environment variable BERTH_TEST_KUBERNETES, by which a whole test suite is run on another
	// version, else the version pinned in hack/controlplane/kubernetes.
	Version string

	// Assets is a folder that holds the binaries. Default: the environment variable KUBEBUILDER_ASSETS where Version
	// is empty, else bin/controlplane/<version> of the repository, built first where it is missing. kwok, kubectl and
	// etcd are taken from the latter where the folder lacks them.
	Assets string

	// PodGroups serves scheduling.k8s.io/v1beta1 and lets kube-scheduler bind the pods of a PodGroup all or none.
	// Without effect before Kubernetes 1.36; Cluster.HasPodGroups tells.
	PodGroups bool

	// AuditLog records who requested what, without bodies; see Cluster.AuditEvents.
	AuditLog bool

	// Nodes are created before Start returns, and Ready by then.
	Nodes []NodeGroup

	// KeepDir leaves the cluster's folder behind on Stop, for a look at the logs.
	KeepDir bool

	// Detach lets the cluster outlive this program, until Stop or StopDetached ends it. Without it the processes die
	// with the program (Linux).
	Detach bool
}

// NodeGroup describes nodes that are alike but for their index i, which counts from 0. Name, labels and capacities may
// hold expressions of i in braces, evaluated from left to right: "{i}", "{i/4}", "{i%4}", "{i/4%2}", "{i+64}".
type NodeGroup struct {
	// Count is how many nodes there are.
	Count int

	// Name names the nodes, which carry it as their label kubernetes.io/hostname too. Default: "n{i}".
	Name string

	// Labels are added to the usual ones.
	Labels map[string]string

	// Taints keep pods without a toleration away.
	Taints []corev1.Taint

	// Capacity is both capacity and allocatable. Defaults where a resource is absent: 192 cpu, 2Ti memory,
	// 4Ti ephemeral-storage, 110 pods.
	Capacity map[corev1.ResourceName]string
}
