package engine

// Reason says why a gang is pending. The words are those of the API.
type Reason string

// The reasons, in the order in which the first that holds is given.
const (
	Infeasible        Reason = "Infeasible"
	Held              Reason = "Held"
	Paused            Reason = "Paused"
	NoTeam            Reason = "NoTeam"
	BackingOff        Reason = "BackingOff"
	WaitingForVictims Reason = "WaitingForVictims"
	SlotReserved      Reason = "SlotReserved"
	QuotaExceeded     Reason = "QuotaExceeded"
	BehindInQueue     Reason = "BehindInQueue"
	NoCoherentSlot    Reason = "NoCoherentSlot"
)

// Explanation says with numbers why a gang is pending and until when. What does not apply is zero. Text is made of it
// elsewhere.
type Explanation struct {
	Reason Reason
	// Cause refines the reason where it has several causes.
	Cause Cause
	// Pool is the pool that was looked at last, Resource the resource that the numbers speak of: the first accelerator
	// of the pool, or, for a quota, the entry's.
	Pool, Resource string
	// Numbers of a resource are in thousandths of a piece. Asked, Free, Used, Limit, Guaranteed and Capacity are numbers of that resource: what the gang asks for, what is idle
	// on usable nodes, and of the team (or the ancestor of it named in Team) what is used, its limit and its guarantee.
	Asked, Free, Used, Limit, Guaranteed, Capacity int64
	Team                                           string
	// Level and Domain name the best domain found: the one of the level asked for that lacks least; PodsFit of its pods
	// would fit now, PodsAsked are asked.
	Level              string
	Domain             []string
	PodsFit, PodsAsked int64
	// Holders are who uses that domain, the largest first, at most three.
	Holders []Holder
	// Position is the gang's place in its team's order in the pool, from 1; zero: in no order.
	Position int
	// Victims are how many gangs are waited for, Deadline until when at the latest.
	Victims  int
	Deadline Time
	// ETA is the estimated start, zero if unknown; Basis names the gang that it rests on, or the one without a
	// maxRuntime that makes it unknown.
	ETA   Time
	Basis string
	// Until is when back-off ends.
	Until Time
	// Bounded is true when the search stopped at a bound (SearchBounded).
	Bounded bool
}

// Cause refines a [Reason].
type Cause int8

// The causes.
const (
	NoCause Cause = iota
	// TooLargeForPool: the empty pool does not hold the gang.
	TooLargeForPool
	// TooLargeForDomain: no domain of the required level, nor any for a group, holds it even when empty.
	TooLargeForDomain
	// NoMatchingNode: no node of the pool satisfies a role's selector and tolerations.
	NoMatchingNode
	// AboveLimit: the gang alone is above a limit.
	AboveLimit
	// NoPool: the pool is unknown, or the team has a quota for none that has the levels asked for.
	NoPool
	// NoLevel: the pool does not have a level asked for.
	NoLevel
	// LimitReached: with what is used now the gang would be above a limit.
	LimitReached
	// NotLendable: what is idle belongs to teams that do not lend it.
	NotLendable
	// TooFewIdle: fewer accelerators are idle than are asked for.
	TooFewIdle
	// Scattered: enough are idle, but nowhere together.
	Scattered
	// HoldsNoRoom: a slot is free but for another's berth.
	HoldsNoRoom
	// TeamCycle: the team's ancestors form a cycle.
	TeamCycle
)

// Holder is a gang (or all foreign pods together, with Gang empty) that uses a domain.
type Holder struct {
	Gang, Team string
	Amount     int64
}
