package engine

import "github.com/berth-dev/berth/internal/engine/place"

// Pool is a root of the topology: accelerators on one fabric, the unit that quotas speak of.
type Pool struct {
	// Name is unique among pools.
	Name string
	// Created decides between pools that select the same node: the oldest has it, then the first by name.
	Created Time
	// Selector says which nodes belong to the pool.
	Selector Selector
	// Accelerators are the resources that count as accelerators, with their weights.
	Accelerators []Accelerator
	// Levels are the tiers of the hierarchy, outermost first, the node not included.
	Levels []Level
	// NodeLink joins pods on one node; the zero value stands for [DefaultNodeLink].
	NodeLink Link
}

// Accelerator is a resource that counts as an accelerator.
type Accelerator struct {
	Resource string
	// Weight is how much one piece counts in sums over resources; at least 1.
	Weight int64
}

// Level is a tier of a pool's hierarchy.
type Level struct {
	Name string
	// Label is the node label whose value names the domain.
	Label string
	// Link joins nodes whose lowest common domain is of this level; the zero value stands for a default.
	Link Link
}

// NodeLevel is the name of the innermost level, which every pool has.
const NodeLevel = "node"

// Link is what two ranks have between them: bandwidth in bytes a second, latency in nanoseconds.
type Link = place.Link

// Links of a pool that gives none: NVLink inside a node, one rail inside the innermost level, a spine across the others,
// and oversubscribed beyond.
var (
	DefaultNodeLink  = Link{Bandwidth: 900e9, Latency: 1_000}
	DefaultInnerLink = Link{Bandwidth: 50e9, Latency: 5_000}
	DefaultOuterLink = Link{Bandwidth: 50e9, Latency: 8_000}
	DefaultPoolLink  = Link{Bandwidth: 25e9, Latency: 15_000}
)

// Cordon takes a domain out of use. Path are the values of the pool's levels down to the domain, outermost first; an
// empty path means the whole pool.
type Cordon struct {
	Pool string
	Path []string
}
