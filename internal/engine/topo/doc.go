// Package topo holds the capacity of one pool: its nodes in depth-first order under a tree of domains, the room left
// on each, and, for every pod shape in use, how many fit per node and per domain.
//
// Capacity is kept in vectors of int64 over interned resources. A [Room] remembers which nodes changed; a
// [Shape] brings its counts up to date when it is next asked, so that a change costs only the shapes that are looked at.
// A what-if is a change of the room that is taken back.
package topo
