// Package play plays a scenario of the simulator on a real control plane, and tells where the two differ.
//
// The scenario's nodes are nodes of a development cluster, its gangs GangJobs that the manager admits, evicts and moves by
// the Jobs and pods of each, its foreign pods pods; nodes fail and recover, manifests are patched. Time goes faster by a
// factor: the durations of the scenario, of its quotas, GangJobs and settings are divided by it. What Kubernetes or the
// policy count in their own time is not: an hour's moves, a day's lapse.
//
// The player has a clock of its own, in scenario time. It follows the real one, but stands still until everything has come
// about on the cluster that the simulator says had come about by then: a cluster needs seconds where the simulator needs
// none, and the order of things is to be compared, not their latency. What programs do, their ends and how long they take
// to stop, goes by that clock.
//
// Compared are the steps of each gang's life, in order: the plans with their victims, the starts with the node of each
// rank as the pods have them, who was told to leave for whom under which rule, growth and shrinking, the end. Steps of
// different gangs must come in the simulator's order unless they fall on one instant there.
package play
