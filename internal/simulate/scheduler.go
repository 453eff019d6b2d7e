package simulate

import "github.com/berth-dev/berth/internal/engine"

// Scheduler decides. The engine's [engine.State] is one; baselines to compare it with are others.
type Scheduler interface {
	SetNode(engine.Node)
	SetPool(engine.Pool)
	RemovePool(name string)
	SetCordons(pool string, paths [][]string)
	SetTeam(engine.Team)
	RemoveTeam(name string)
	SetQuota(engine.Quota)
	RemoveQuota(team string)
	SetForeign(engine.Foreign)
	RemoveForeign(name string)
	SetGang(engine.Gang)
	RemoveGang(id string)

	Decide(now engine.Time) []engine.Decision
	Next(now engine.Time) (engine.Time, bool)

	Explain(id string, now engine.Time) engine.Explanation
	Usage(team, pool, resource string) engine.Usage
	Share(team string) (milli int64, pool, resource string)
	NodePool(node string) (pool string, others []string)
	Communication(id string) (estimate, best int64)
}
