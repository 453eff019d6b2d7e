package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// scene is one thing that happens, and what it leads to.
type scene struct {
	// say tells beforehand what is done.
	say string
	// do does it.
	do func(context.Context, *stage) error
	// until says when the scene is over; named what, where it does not come true.
	what  string
	until func(world) bool
	// then tells what was seen, picture draws it.
	then    func(world) string
	picture bool
}

// patience is how long a scene may take.
const patience = 90 * time.Second

// The gangs of the story. They run until the script ends them.
var (
	sweep    = order{namespace: "research", name: "sweep", tier: v1alpha1.TierBatch, pods: 6}
	ablation = order{namespace: "research", name: "ablation", tier: v1alpha1.TierBatch, pods: 4, saves: 3 * time.Second}
	eval     = order{namespace: "research", name: "eval", tier: v1alpha1.TierProduction, pods: 6}
	waiter   = order{namespace: "finetuning", name: "ft-7", tier: v1alpha1.TierBatch, pods: 8}
)

func finetunings() []order {
	var orders []order
	for i := range 6 {
		orders = append(orders, order{namespace: "finetuning", name: fmt.Sprintf("ft-%d", i+1), tier: v1alpha1.TierBatch, pods: 8})
	}
	return orders
}

func names(orders ...order) []string {
	var all []string
	for _, o := range orders {
		all = append(all, o.name)
	}
	return all
}

// story is the script of the demo.
func story() []scene { return slices.Concat(arrivals(), waiting(), makingWay()) }

// arrivals fill the pool but for half a rack.
func arrivals() []scene {
	fillers := append(finetunings(), sweep)
	return []scene{
		{
			say: "pretraining submits llama-70b, 2 pods of 8 GPUs, all in one rack.",
			do: func(ctx context.Context, s *stage) error {
				return s.submitSample(ctx, "gangjob-llama-70b.yaml")
			},
			what:  "llama-70b runs",
			until: func(w world) bool { return w.running("llama-70b") },
			then: func(w world) string {
				g, _ := w.find("llama-70b")
				return fmt.Sprintf("It runs in %s, rank k on the k-th of %s.", g.domain, strings.Join(g.nodes, ", "))
			},
		},
		{
			say:   "finetuning borrows six whole racks for ft-1 to ft-6; research submits sweep, 6 pods.",
			do:    submit(fillers...),
			what:  "ft-1 to ft-6 and sweep run",
			until: func(w world) bool { return w.running(names(fillers...)...) },
			then: func(w world) string {
				g, _ := w.find("sweep")
				return fmt.Sprintf("sweep fills %s, beside llama-70b, so that a whole rack stays free.", g.domain)
			},
		},
		{
			say:   "research submits ablation, 4 pods: half of the last rack.",
			do:    submit(ablation),
			what:  "ablation runs",
			until: func(w world) bool { return w.running("ablation") },
		},
	}
}

// waiting shows that a gang starts whole or not at all.
func waiting() []scene {
	return []scene{
		{
			say:  "finetuning submits ft-7, 8 pods. Half of it would fit; it waits whole.",
			do:   submit(waiter),
			what: "ft-7 is Pending with NoCoherentSlot",
			until: func(w world) bool {
				g, _ := w.find("ft-7")
				return g.phase == v1alpha1.PhasePending && g.reason == v1alpha1.ReasonNoCoherentSlot
			},
			then: func(w world) string {
				g, _ := w.find("ft-7")
				return fmt.Sprintf("ft-7 has %s: %s", plural(w.pods(g.key()), "pod"), g.message)
			},
			picture: true,
		},
		{
			say:   "ft-1 comes to its end.",
			do:    finish("ft-1"),
			what:  "ft-7 runs",
			until: func(w world) bool { return w.running("ft-7") },
			then: func(w world) string {
				g, _ := w.find("ft-7")
				return fmt.Sprintf("ft-1 has ended and ft-7 started, %s pods at once, in %s.", g.readyPods, g.domain)
			},
		},
	}
}

// makingWay shows a lower tier that leaves and returns, and a mistake that is told.
func makingWay() []scene {
	return []scene{
		{
			say:  "research submits eval, 6 pods of tier Production. Its own Batch gang ablation is told to make way.",
			do:   submit(eval),
			what: "ablation was preempted and eval runs",
			until: func(w world) bool {
				g, _ := w.find("ablation")
				return g.preemptions == 1 && w.running("eval")
			},
			then: func(w world) string {
				g, _ := w.find("eval")
				return fmt.Sprintf("ablation took its time to save; what it left and what was free is now eval's, in %s.", g.domain)
			},
			picture: true,
		},
		{
			say: "Somebody asks for the level \"rak\":",
			do:  refused,
		},
		{
			say:  "eval comes to its end.",
			do:   finish("eval"),
			what: "ablation runs again",
			until: func(w world) bool {
				g, _ := w.find("ablation")
				return g.attempts == 2 && g.phase == v1alpha1.PhaseRunning
			},
			then: func(w world) string {
				g, _ := w.find("ablation")
				return fmt.Sprintf("ablation is back in %s, all %s pods, attempt %d.", g.domain, g.readyPods, g.attempts)
			},
		},
		{
			say:   "Everything else comes to its end.",
			do:    finish(),
			what:  "all gangs have succeeded",
			until: world.succeeded,
		},
	}
}

func submit(orders ...order) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error { return s.submit(ctx, orders...) }
}

// finish ends the programs of the named gangs, or of all that run.
func finish(gangs ...string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error { return s.finish(ctx, gangs...) }
}

// refused submits a manifest with a mistake and shows the answer.
func refused(ctx context.Context, s *stage) error {
	wrong := order{namespace: "research", name: "typo", tier: v1alpha1.TierBatch, pods: 1}.gangJob()
	wrong.Spec.Topology.Required = "rak"
	err := s.client.Create(ctx, wrong)
	if err == nil {
		return fmt.Errorf("a gang that requires the level %q, which pool %s does not have, was accepted", "rak", pool)
	}
	s.screen.say("  refused: %v", err)
	return nil
}
