// Package assignment packs the nodes of a slot into the compact form that a GangJob's status holds, and unpacks them. The
// order of the nodes, which is the order of the ranks, is kept.
package assignment
