// Package topology draws the live map: a TopologyDomain for every domain of every pool, each with what it holds, what is
// free of it, the largest slot it has room for, and how fragmented it is.
package topology
