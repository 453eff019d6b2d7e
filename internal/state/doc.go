// Package state keeps the engine's view of the cluster up to date from watches.
//
// A [Cache] is fed by informers, one event at a time, and holds what the engine needs and nothing more. After a restart it
// is rebuilt from the API alone: reservations and berths from the status of GangJobs and, where that was lost, from the
// Jobs that run and the nodes their pods are on.
//
// Three rules make writing safe. A decision is taken only when no write of an earlier one is under way, so what the engine
// assumes is never overwritten in between. Of two versions of a GangJob the newer counts, whether it came by the watch or
// as the answer to Berth's own write. A reservation takes effect only when it has come back by the watch and no other
// that overlaps it stands there by then.
package state
