// Package e2e tests Berth as a whole: the manager as a process of its own, with the rights of config/rbac alone, on a real
// kube-apiserver, kube-scheduler and Job controller.
//
// All tests share one cluster. Each has a world of its own in it: nodes that carry its name, a pool of them, namespaces
// and teams; so they run side by side. Scenarios of the simulator are played on clusters of their own: they have all nodes.
// BERTH_TEST_KUBERNETES names another Kubernetes series to run on.
// PodGroups are served where the series has them; the clusters that scenarios are played on have none.
package e2e
