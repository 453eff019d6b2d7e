package conditions

import (
	"strings"
	"testing"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestSetReportsOnlyRealChanges(t *testing.T) {
	var list []metav1.Condition
	steps := []struct {
		name       string
		generation int64
		holds      bool
		message    string
		changed    bool
	}{
		{"a new condition is a change", 1, false, "no slot", true},
		{"the same again is none", 1, false, "no slot", false},
		{"another message is a change", 1, false, "2 of 4 fit", true},
		{"another generation is a change", 2, false, "2 of 4 fit", true},
		{"another status is a change", 2, true, "", true},
	}
	for _, step := range steps {
		if got := Set(&list, step.generation, "Reserved", step.holds, "Why", step.message); got != step.changed {
			t.Errorf("%s: Set = %v", step.name, got)
		}
		if c := list[0]; len(list) != 1 || c.ObservedGeneration != step.generation || c.Message != step.message ||
			Holds(list, "Reserved") != step.holds {
			t.Errorf("%s: conditions %+v", step.name, list)
		}
	}
}

func TestTheTransitionTimeMovesWithTheStatusAlone(t *testing.T) {
	var list []metav1.Condition
	Set(&list, 1, "Reserved", false, "A", "")
	past := metav1.Unix(1, 0)
	list[0].LastTransitionTime = past
	Set(&list, 2, "Reserved", false, "B", "new")
	if !list[0].LastTransitionTime.Equal(&past) {
		t.Error("another reason moved the transition time")
	}
	Set(&list, 2, "Reserved", true, "B", "new")
	if list[0].LastTransitionTime.Equal(&past) {
		t.Error("another status did not move the transition time")
	}
}

func TestTruncateKeepsWholeCharacters(t *testing.T) {
	for _, text := range []string{"short", strings.Repeat("x", MaxMessage), strings.Repeat("é", MaxMessage), strings.Repeat("界", MaxMessage)} {
		got := Truncate(text)
		if len(got) > MaxMessage || !utf8.ValidString(got) {
			t.Errorf("Truncate(%d bytes) = %d bytes, valid %v", len(text), len(got), utf8.ValidString(got))
		}
		if len(text) <= MaxMessage && got != text {
			t.Errorf("a message of %d bytes was cut", len(text))
		}
		if len(text) > MaxMessage && !strings.HasSuffix(got, ellipsis) {
			t.Error("a cut is not marked")
		}
	}
}
