package engine

// Kind says what a decision asks for.
type Kind int8

// The kinds of decision.
const (
	// Admit starts the gang on Slot, which is free.
	Admit Kind = iota
	// Plan holds Slot for the gang until Victims have left it; an Evict or Move follows for each.
	Plan
	// Promise holds Slot for the gang from At on.
	Promise
	// Evict tells the gang to leave its berth for For.
	Evict
	// Move tells the gang to leave its berth and go on in Slot, for For (empty: because of a fault).
	Move
	// Replace gives a gang whose berth is lost another slot.
	Replace
	// Grow adds the pods that Slot has beyond the gang's berth.
	Grow
	// Shrink takes away the pods that the gang's berth has beyond Slot.
	Shrink
	// Release gives a Future or Planned berth up.
	Release
	// Spare calls off the eviction of a gang that was not signalled yet.
	Spare
	// Expire ends a gang whose running time is over.
	Expire
	// Head tells that the gang heads its team's order since At, or, with At zero, no longer does.
	Head
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{
		"Admit", "Plan", "Promise", "Evict", "Move", "Replace", "Grow", "Shrink", "Release", "Spare", "Expire",
		"Head",
	}[k]
}

// Rule is the clause of the policy that a preemption rests on.
type Rule int8

// The rules of P2, and the other causes for which a gang is told to leave.
const (
	NoRule Rule = iota
	// ByTier: a higher tier of the same team (P2 a).
	ByTier
	// ByReclaim: a team gets its guarantee back (P2 b).
	ByReclaim
	// ByFairness: shares are evened out (P2 c).
	ByFairness
	// ByMove: a slot is put together for another gang (P10).
	ByMove
	// ByPromise: the room was promised to another from now on (P5).
	ByPromise
	// ByFault: the node fails or is to be emptied (P9).
	ByFault
	// ByDrain: the team is drained, or the gang held.
	ByDrain
	// ByIdle: a promise kept too much idle and lapses for a day (P5).
	ByIdle
)

// String returns the rule's name as users see it.
func (r Rule) String() string {
	return [...]string{"", "Tier", "Reclaim", "Fairness", "Move", "Promise", "Fault", "Drain", "Idle"}[r]
}

// Decision is one thing to do, with its explanation.
type Decision struct {
	Kind Kind
	// Gang is the gang that the decision is about.
	Gang string
	// Slot is the placement for Admit, Plan, Promise, Move, Replace, Grow and Shrink.
	Slot Slot
	// Victims are the gangs that leave for a Plan.
	Victims []Victim
	// For is the gang on whose behalf a gang is evicted, moved or shrunk.
	For  string
	Rule Rule
	// At is when a Promise falls due.
	At Time
	// Basis names what At rests on.
	Basis string
	// Bounded is true when the search stopped at a bound before it had looked everywhere.
	Bounded bool
}
