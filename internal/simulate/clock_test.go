package simulate

import (
	"testing"
	"time"
)

func TestOffsetsReadAsPeopleWriteThem(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 90 * time.Second: "1m30s", time.Hour: "1h", 90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s",
		1500 * time.Millisecond: "1.5s", 20*time.Minute + 1499*time.Millisecond: "20m1s", 48 * time.Hour: "2d",
		74*time.Hour + 5*time.Minute + time.Second: "3d2h5m",
	} {
		if got := Offset(d).String(); got != want {
			t.Errorf("%s: got %s, want %s", d, got, want)
		}
	}
}

func TestTransitionsComeInOrderAndOnlyWhileTheyHold(t *testing.T) {
	var a agenda
	x, y := &gang{}, &gang{}
	a.add(transition{at: 20, kind: podsGone, gang: x})
	a.add(transition{at: 20, kind: runEnds, gang: y})
	a.add(transition{at: 10, kind: podsGone, gang: x, stay: 7})
	a.add(transition{at: 15, kind: podsGone, gang: y})
	a.add(transition{at: 30, kind: runEnds, gang: x})
	type seen struct {
		at   int64
		kind transitionKind
		gang *gang
	}
	var got []seen
	for _, now := range []int64{14, 15, 25} {
		for {
			next, due := a.pop(now)
			if !due {
				break
			}
			got = append(got, seen{next.at, next.kind, next.gang})
		}
	}
	want := []seen{{15, podsGone, y}, {20, runEnds, y}, {20, podsGone, x}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("transition %d: got %v, want %v", i, got[i], want[i])
		}
	}
	if at, ok := a.next(); !ok || at != 30 {
		t.Errorf("next: got %d (%v), want 30", at, ok)
	}
}
