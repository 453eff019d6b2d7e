// Package devcluster runs a real Kubernetes control plane as plain processes: etcd, kube-apiserver,
// kube-controller-manager, kube-scheduler, and kwok in the place of the kubelets. The demo, the integration tests and
// the end-to-end tests all stand on it.
//
//	cluster, err := devcluster.Start(ctx, devcluster.Options{
//		Nodes: []devcluster.NodeGroup{{
//			Count:    64,
//			Name:     "n{i}",
//			Labels:   map[string]string{"topology.example.com/rack": "r{i/8}"},
//			Capacity: map[corev1.ResourceName]string{"nvidia.com/gpu": "8"},
//		}},
//	})
//	if err != nil { ... }
//	defer cluster.Stop()
//	c, err := client.New(cluster.Config(), client.Options{})
//
// Every cluster has its own certificate authorities, free ports and a temporary folder for data, logs and kubeconfigs,
// so any number may run side by side. RBAC is on; ConfigFor gives a client for any user and groups. On Linux the
// kernel ends the processes when the program that started them dies, however it dies, unless Options.Detach is set.
//
// Pods do not run programs. They are Running and Ready at once and behave as their annotations say: see the Annotation
// constants.
package devcluster
