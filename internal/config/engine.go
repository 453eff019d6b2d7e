package config

import "github.com/berth-dev/berth/internal/engine"

// Engine returns the policy as the engine takes it. The policy must be valid.
func (p *Policy) Engine() engine.Config {
	cfg := engine.DefaultConfig()
	cfg.ReserveAfter = p.ReserveAfter.Nanoseconds()
	cfg.MaxReservations = *p.MaxReservations
	cfg.MaxReservationIdle, _ = tenThousandths(p.MaxReservationIdle)
	cfg.AssumedRuntime = p.AssumedRuntime.Nanoseconds()
	cfg.LostWorkCap = p.LostWorkCap.Nanoseconds()
	cfg.MovesPerHour = *p.MovesPerHour
	cfg.MoveMaxLoss = p.MoveMaxLoss.Nanoseconds()
	cfg.EvictionBackOff = p.EvictionBackOff.Nanoseconds()
	return cfg
}
