package engine

import "github.com/berth-dev/berth/internal/engine/place"

// Tier orders gangs inside a team; a larger value goes first.
type Tier int8

// The tiers.
const (
	Interactive Tier = iota
	Batch
	Production
)

// String returns the tier's name as users write it.
func (t Tier) String() string { return [...]string{"Interactive", "Batch", "Production"}[t] }

// Policy says what a good slot is.
type Policy int8

// The placement policies.
const (
	// Locality takes the lowest common level first.
	Locality Policy = iota
	// Pack leaves large holes whole, locality second.
	Pack
)

// Pattern says which ranks communicate.
type Pattern = place.Pattern

// The communication patterns.
const (
	// Ring: ranks i and i+1, and the last with the first.
	Ring = place.Ring
	// AllToAll: all pairs.
	AllToAll = place.AllToAll
)

// Gang is all pods of one job that must run together: what is asked, and what the records say of it so far.
type Gang struct {
	// ID is unique among gangs: namespace/name.
	ID string
	// Team is the team of the gang's namespace, or, while it holds a berth, the one it was admitted for; empty: none.
	Team string
	Tier Tier
	// Priority orders gangs inside team and tier, the larger first.
	Priority int32
	// Pool is the pool asked for; empty: any that the team has a quota for, in the quota's order.
	Pool  string
	Roles []Role
	// Required is the level of which one domain must hold the whole gang; empty: none.
	Required string
	// Preferred is tried before levels further out; empty: none.
	Preferred string
	Policy    Policy
	Pattern   Pattern
	// BytesPerStep is what communicating ranks exchange in a step.
	BytesPerStep int64

	// Checkpoints is true when the gang can checkpoint on a signal.
	Checkpoints bool
	// Answers is true when its signal is acknowledged before the stop (SIGUSR1, SIGUSR2, http), not by it (SIGTERM).
	Answers bool
	// Grace is the longest time from the notice until the pods are gone, in nanoseconds.
	Grace int64
	// Evictable gangs may run on room promised to another and are evicted when that one's time comes.
	Evictable bool
	// MaxRuntime bounds the running time over all attempts, in nanoseconds; zero: unbounded.
	MaxRuntime int64

	// Held gangs wait for their user: suspended, or with gates.
	Held bool
	// Queued is since when the gang is in its team's order.
	Queued Time
	// NotBefore keeps a gang that was put back for its own fault from being considered earlier.
	NotBefore Time
	// FreeOnly gangs have failed by themselves and never been ready: they use free room only.
	FreeOnly bool
	// Ran is the running time that counts against MaxRuntime, without the current attempt, in nanoseconds.
	Ran int64
	// Evictions are the instants of the latest evictions, oldest first.
	Evictions []Time
	// Heading is for how long the gang headed its team's order before HeadSince, in nanoseconds, and HeadSince since when
	// it heads it now, as told by the last [Head] decision.
	Heading   int64
	HeadSince Time
	// LastCheckpoint is when the current attempt last saved its work; zero: never in this attempt.
	LastCheckpoint Time
	// Published is true when the gang has ever published a checkpoint.
	Published bool
	// PromiseRefused is when a future berth of the gang lapsed for keeping too much idle; none is made again for a day.
	PromiseRefused Time
	// LastMove is when the gang was last moved; MoveRefused when a move was last called off.
	LastMove, MoveRefused Time
	// Berth is the berth the gang holds, or nil.
	Berth *Berth
	// Next is the berth that a gang which is being moved or repaired will take once it has left its own, or nil.
	Next *Berth
}

// Role is a set of identical pods.
type Role struct {
	Name string
	// Count is how many pods are wanted; Floor how many will do: less than Count makes the gang elastic.
	Count, Floor int
	Pod          Pod
	// Groups are sets of consecutive ranks that stay inside one domain, outer to inner.
	Groups []Group
}

// Group keeps every Size consecutive ranks inside one domain of Level.
type Group struct {
	Size  int
	Level string
}

// Pod is what one pod of a role asks of its node.
type Pod struct {
	Requests    Amounts
	Selector    Selector
	Tolerations []Toleration
}
