package translate

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
)

func at(seconds int64) *metav1.Time {
	t := metav1.Unix(seconds, 0)
	return &t
}

const second = int64(time.Second)

func TestGangRemembersWhatItsStatusSays(t *testing.T) {
	names := func(uid string) string { return map[string]string{"u1": "b/one", "u2": "b/two"}[uid] }
	assignment := &v1alpha1.Assignment{
		Pool: "h100", Level: "rack", Domain: "s0/r1", Roles: []v1alpha1.RoleAssignment{{
			Name: "worker", Nodes: []v1alpha1.NodeRun{{Prefix: "n", Suffixes: []string{"1", "2"}, Counts: []int32{2}}, {Suffixes: []string{"x"}}},
		}},
	}
	slot := engine.Slot{
		Pool: "h100", Level: "rack", Domain: []string{"s0", "r1"}, Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{"n1", "n1", "n2", "n2", "x"}}},
	}
	elsewhere := engine.Slot{
		Pool: "h100", Level: "node", Domain: []string{"s0", "r2", "m1"}, Roles: []engine.RoleSlot{{Role: "worker", Nodes: []string{"m1", "m1"}}},
	}
	other := Assignment(elsewhere)
	tests := map[string]struct {
		status v1alpha1.GangJobStatus
		want   engine.Gang
	}{
		"a new gang queues from its creation": {v1alpha1.GangJobStatus{}, engine.Gang{Queued: 7 * second}},
		"history": {
			v1alpha1.GangJobStatus{
				QueuedTime: at(10), Checkpoints: &v1alpha1.CheckpointStatus{LastAckTime: at(20)},
				History: &v1alpha1.GangHistory{
					BackoffUntil: at(30), PutBacks: 1, UsedRuntime: metav1.Duration{Duration: time.Hour}, Evictions: []metav1.Time{*at(11), *at(12)},
					MovedAt: at(13), MoveRefusedAt: at(15), PromiseLapsedAt: at(16), Headed: []v1alpha1.HeadedPool{{Pool: "h100", Since: at(14), Before: metav1.Duration{Duration: time.Second}}},
				},
			},
			engine.Gang{
				Queued: 10 * second, Published: true, NotBefore: 30 * second, FreeOnly: true, Ran: int64(time.Hour),
				Evictions: []engine.Time{11 * second, 12 * second}, LastMove: 13 * second, MoveRefused: 15 * second, PromiseRefused: 16 * second, HeadSince: 14 * second, Heading: second,
			},
		},
		"a plan, one of whose victims is gone": {
			v1alpha1.GangJobStatus{
				QueuedTime: at(10), Assignment: assignment, Berth: &v1alpha1.BerthStatus{
					State: v1alpha1.BerthPlanned, Attempt: 2, PlannedAt: at(40), Victims: []v1alpha1.BerthVictim{{UID: "u1", Attempt: 3}, {UID: "gone", Attempt: 1}},
				},
			},
			engine.Gang{Queued: 10 * second, Berth: &engine.Berth{
				State: engine.Planned, Attempt: 2, Slot: slot, Since: 40 * second, Victims: []engine.Victim{{Gang: "b/one", Attempt: 3}},
			}},
		},
		"an occupied berth that is to be left": {
			v1alpha1.GangJobStatus{
				QueuedTime: at(10), Team: "old", Assignment: assignment, Berth: &v1alpha1.BerthStatus{State: v1alpha1.BerthOccupied, Attempt: 1, PlannedAt: at(40)},
				History:     &v1alpha1.GangHistory{StartTime: at(41)},
				Checkpoints: &v1alpha1.CheckpointStatus{LastAckTime: at(50)},
				Preemption:  &v1alpha1.PreemptionStatus{ByUID: "u2", Rule: "Reclaim", NoticeTime: *at(60), Deadline: *at(120), Signaled: true},
			},
			engine.Gang{Team: "old", Queued: 10 * second, Published: true, LastCheckpoint: 50 * second, Berth: &engine.Berth{
				State: engine.Occupied, Attempt: 1, Slot: slot, Since: 40 * second, Started: 41 * second,
				Leaving: &engine.Leaving{For: "b/two", Rule: engine.ByReclaim, Notice: 60 * second, Deadline: 120 * second, Signaled: true},
			}},
		},
		"a move to another slot": {
			v1alpha1.GangJobStatus{
				QueuedTime: at(10), Assignment: assignment, Berth: &v1alpha1.BerthStatus{State: v1alpha1.BerthOccupied, Attempt: 1, PlannedAt: at(40)},
				Preemption: &v1alpha1.PreemptionStatus{ByUID: "u2", Rule: "Move", NoticeTime: *at(60), Deadline: *at(120), Next: other},
			},
			engine.Gang{
				Queued: 10 * second, Berth: &engine.Berth{
					State: engine.Occupied, Attempt: 1, Slot: slot, Since: 40 * second, Started: 40 * second,
					Leaving: &engine.Leaving{For: "b/two", Rule: engine.ByMove, Notice: 60 * second, Deadline: 120 * second},
				},
				Next: &engine.Berth{State: engine.Planned, Slot: elsewhere, Since: 60 * second},
			},
		},
		"a surplus that leaves, and a plan that waits for one": {
			v1alpha1.GangJobStatus{
				QueuedTime: at(10), Assignment: assignment, Berth: &v1alpha1.BerthStatus{
					State: v1alpha1.BerthOccupied, Attempt: 1, PlannedAt: at(40), Victims: []v1alpha1.BerthVictim{{UID: "u1", Attempt: 3, Part: true}},
				},
				Preemption: &v1alpha1.PreemptionStatus{ByUID: "u2", Rule: "Reclaim", NoticeTime: *at(60), Deadline: *at(120), Next: other, Part: true},
			},
			engine.Gang{Queued: 10 * second, Berth: &engine.Berth{
				State: engine.Occupied, Attempt: 1, Slot: slot, Since: 40 * second, Started: 40 * second,
				Victims: []engine.Victim{{Gang: "b/one", Attempt: 3, Part: true}},
				Leaving: &engine.Leaving{For: "b/two", Rule: engine.ByReclaim, Notice: 60 * second, Deadline: 120 * second, Keep: &elsewhere},
			}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			job := v1alpha1.GangJob{
				ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "g", CreationTimestamp: *at(7)}, Status: test.status,
			}
			test.want.ID, test.want.Tier = "a/g", engine.Batch
			if diff := cmp.Diff(test.want, Gang(&job, Owner{}, names)); diff != "" {
				t.Errorf("gang (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRuleComesBackAsItWent(t *testing.T) {
	for rule := engine.ByTier; rule <= engine.ByDrain; rule++ {
		if got := Rule(rule.String()); got != rule {
			t.Errorf("rule %s: got %s", rule, got)
		}
	}
	if got := Rule(v1alpha1.RuleSuspend); got != engine.ByDrain {
		t.Errorf("rule %s: got %s, want %s", v1alpha1.RuleSuspend, got, engine.ByDrain)
	}
}
