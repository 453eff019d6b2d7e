package place

import "github.com/berth-dev/berth/internal/engine/topo"

// Request is a gang in search of a slot.
type Request struct {
	Tree  *topo.Tree
	Room  *topo.Room
	Roles []Role
	// Required is the level of which one domain must hold the whole gang; 0: the pool.
	Required int
	// Preferred is the level that is tried as if it were required, before the levels further out; 0: none.
	Preferred int
	// Pack asks to leave large holes whole, locality second.
	Pack bool
	// Budget bounds the search, in steps of 64 combinations of table entries; 0: no bound but that of memory.
	Budget int
	// Within confines the search to one domain; nil: the pool.
	Within *Domain
}

// Role is a set of identical pods.
type Role struct {
	// Shape has the counts of pods that fit, in the room of the request.
	Shape *topo.Shape
	// Count is how many pods there are.
	Count int
	// Groups are sets of consecutive ranks that stay inside one domain, outer to inner.
	Groups []Group
}

// Group keeps every Size consecutive ranks inside one domain of Level.
type Group struct {
	Size int
	// Level is an index into the tree's levels.
	Level int
}

// Domain names one domain of the tree.
type Domain struct {
	Level int
	Index int32
}

// Slot is a placement of a whole gang.
type Slot struct {
	// Level and Domain name the lowest domain that holds the whole slot.
	Level  int
	Domain int32
	// Roles has, for each role, its nodes in depth-first order.
	Roles [][]NodeCount
}

// NodeCount is how many pods of a role go to a node.
type NodeCount struct {
	Node  int32
	Count int
}
