package engine

// Team is who gangs belong to and what quotas are given to. Teams form a tree.
type Team struct {
	Name string
	// Parent is the team above, empty for a root. While it is unknown the team counts as a root; on a cycle nothing is
	// admitted.
	Parent string
	// Weight divides the team's share; at least 1.
	Weight int64
	// Paused teams have nothing admitted.
	Paused bool
	// Drained teams are paused and have what runs evicted.
	Drained bool
}

// Unlimited stands for an absent limit, and for a guarantee that may be lent whole.
const Unlimited int64 = -1

// Quota is how much a team is entitled to.
type Quota struct {
	Team string
	// Entries are ordered: a gang that names no pool tries theirs in this order.
	Entries []Entitlement
	// MinRuntime is how long a gang of the team runs before another team's gang may evict it, in nanoseconds.
	MinRuntime int64
}

// Entitlement is a quota's entry for one resource of one pool.
type Entitlement struct {
	Pool, Resource string
	// Guaranteed is what the team always gets back.
	Guaranteed int64
	// Limit is what the team may use at most, borrowing included, or [Unlimited].
	Limit int64
	// Lendable is what others may use of the guarantee while it is idle, or [Unlimited] for all of it.
	Lendable int64
}
