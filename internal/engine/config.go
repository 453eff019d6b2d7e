package engine

const (
	second = int64(1e9)
	minute = 60 * second
	hour   = 60 * minute
)

// Config holds the settings of the policy. Durations are in nanoseconds.
type Config struct {
	// ReserveAfter is for how long a gang heads its team's order before it gets a future berth (P5).
	ReserveAfter int64
	// MaxReservations is how many future berths a pool has at most.
	MaxReservations int
	// MaxReservationIdle is how many ten-thousandths of a pool's accelerator-hours of a day a future berth may keep idle.
	MaxReservationIdle int64
	// AssumedRuntime is when a gang without maxRuntime is taken to end.
	AssumedRuntime int64
	// LostWorkCap caps the time that counts as at stake.
	LostWorkCap int64
	// MovesPerHour is how many gangs are moved in a pool and hour at most (P10).
	MovesPerHour int
	// MoveMaxLoss is how much uncapped time at stake a gang may have that does not answer before its stop, to be moved.
	MoveMaxLoss int64
	// EvictionBackOff is the unit of the time for which an evicted gang is not considered (P12).
	EvictionBackOff int64
	// SearchBudget bounds the steps of one search for a slot, PlanBudget the sets of victims that one search for a plan
	// looks at; 0: unbounded.
	SearchBudget, PlanBudget int
}

// DefaultConfig returns the settings that apply when none are given.
func DefaultConfig() Config {
	return Config{
		ReserveAfter:       5 * minute,
		MaxReservations:    4,
		MaxReservationIdle: 500,
		AssumedRuntime:     24 * hour,
		LostWorkCap:        hour,
		MovesPerHour:       6,
		MoveMaxLoss:        15 * minute,
		EvictionBackOff:    minute,
		SearchBudget:       200_000,
		PlanBudget:         2_000,
	}
}
