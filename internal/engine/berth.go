package engine

// BerthState says how firmly a berth is held.
type BerthState int8

// The states of a berth, in the order of a gang's life.
const (
	// Future berths are promised from an instant on.
	Future BerthState = iota
	// Planned berths wait for victims to leave.
	Planned
	// Reserved berths are written, and their pods about to be made.
	Reserved
	// Occupied berths have pods.
	Occupied
)

// String returns the state's name as users see it.
func (s BerthState) String() string {
	return [...]string{"Future", "Planned", "Reserved", "Occupied"}[s]
}

// Berth is a slot held for one gang.
type Berth struct {
	State   BerthState
	Attempt int
	Slot    Slot
	// Since is when the berth was decided.
	Since Time
	// NotBefore is from when on a Future berth is the gang's.
	NotBefore Time
	// Basis names what NotBefore rests on.
	Basis string
	// Victims are the gangs that leave for a Planned berth.
	Victims []Victim
	// Started is since when an Occupied berth runs.
	Started Time
	// Leaving is set from the notice until the berth is given back.
	Leaving *Leaving
}

// Leaving tells that a gang has been asked to give its berth back.
type Leaving struct {
	// For is the gang that gets the room, empty when nobody in particular does.
	For  string
	Rule Rule
	// Notice is when the gang was told, Deadline until when it may take.
	Notice, Deadline Time
	// Keep, where not nil, is what the gang keeps: only its surplus leaves, and the attempt goes on.
	Keep *Slot
	// Signaled is true once the pods were told; before that a victim may be spared.
	Signaled bool
}

// Victim names one stay of a gang.
type Victim struct {
	Gang    string
	Attempt int
	// Part is true when only the gang's surplus leaves.
	Part bool
}

// Slot is a concrete placement of a whole gang.
type Slot struct {
	Pool string
	// Level is the lowest level of which one domain holds the whole slot: a level's name, "node", or "" for the pool.
	Level string
	// Domain is the path of that domain, outermost first, the node's name last where Level is "node".
	Domain []string
	Roles  []RoleSlot
}

// RoleSlot is the part of a slot that one role takes.
type RoleSlot struct {
	Role string
	// Nodes has the node of each rank, by rank.
	Nodes []string
}
