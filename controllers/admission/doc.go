// Package admission takes the decisions of the engine to the cluster.
//
// A [Loop] runs on the leader alone. Events wake it; it decides once for all that is waiting, and writes: one write a gang,
// to its status, plans before the evictions that serve them. A write that is refused drops its decision, which is taken
// again on fresh state. A [Reporter] tells the gangs that wait why, in its own time.
package admission
