package translate

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/engine"
)

func TestMessageHasNumbers(t *testing.T) {
	const gpu = "nvidia.com/gpu"
	tests := map[string]struct {
		e    engine.Explanation
		want string
	}{
		"above a limit for good": {
			engine.Explanation{Reason: engine.Infeasible, Cause: engine.AboveLimit, Pool: "h100", Resource: gpu, Asked: 32000, Limit: 24000, Team: "a"},
			"asks for 32 GPUs; team a may use at most 24 GPUs in pool h100",
		},
		"above a limit now": {
			engine.Explanation{
				Reason: engine.QuotaExceeded, Cause: engine.LimitReached, Pool: "h100", Resource: gpu, Asked: 8000, Used: 24000, Limit: 24000, Team: "org",
			},
			"asks for 8 GPUs; team org uses 24 of at most 24 GPUs in pool h100",
		},
		"scattered, with who holds it": {
			engine.Explanation{
				Reason: engine.NoCoherentSlot, Cause: engine.Scattered, Pool: "h100", Resource: gpu, Asked: 16000, Free: 24000, Level: "rack",
				Domain: []string{"s0", "r1"}, PodsFit: 1, PodsAsked: 2, Position: 3,
				Holders: []engine.Holder{{Gang: "a/mine", Team: "a", Amount: 16000}, {Gang: "b/secret", Team: "b", Amount: 8000}, {Amount: 1000}},
			},
			"asks for 16 GPUs in one rack; 24 GPUs idle in pool h100, at best 1 of 2 pods fit on rack s0/r1 of pool h100; held by mine, " +
				"16 GPUs; team b, 8 GPUs; pods outside Berth, 1 GPU; position 3 in its team's order",
		},
		"a victim": {
			engine.Explanation{Reason: engine.WaitingForVictims, Pool: "h100", Victims: 1, Deadline: 60e9, ETA: 60e9},
			"waits for 1 gang to leave pool h100, at the latest at 1970-01-01T00:01:00Z",
		},
		"a future berth of an unknown time": {
			engine.Explanation{Reason: engine.SlotReserved, Pool: "h100", Basis: "b/secret"},
			"a slot is kept for it in pool h100; when it starts is unknown: a gang of another namespace has no maxRuntime",
		},
		"nothing": {engine.Explanation{}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Message(test.e, Reader{Namespace: "a", Team: "a"}); got != test.want {
				t.Errorf("message:\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMessageNamesNoGangOfAnotherNamespace(t *testing.T) {
	for _, reason := range []engine.Reason{
		engine.Infeasible, engine.Held, engine.Paused, engine.NoTeam, engine.BackingOff, engine.WaitingForVictims, engine.SlotReserved,
		engine.QuotaExceeded, engine.BehindInQueue, engine.NoCoherentSlot,
	} {
		e := engine.Explanation{Reason: reason, Basis: "b/secret", Holders: []engine.Holder{{Gang: "b/secret", Team: "b", Amount: 1000}}, ETA: 5}
		got := Message(e, Reader{Namespace: "a", Team: "a"})
		if got == "" || strings.Contains(got, "secret") {
			t.Errorf("%s: got %q, want a sentence that does not name b/secret", reason, got)
		}
	}
}
