package conditions

import (
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MaxMessage is how many bytes of a message are kept; the API allows more, a status of many conditions should not.
const MaxMessage = 1024

// ellipsis ends a message that was cut.
const ellipsis = "…"

// Set makes a condition True or False as observed at a generation, and reports whether that changed anything. The
// transition time moves only when the status does.
func Set(list *[]metav1.Condition, generation int64, kind string, holds bool, reason, message string) bool {
	status := metav1.ConditionFalse
	if holds {
		status = metav1.ConditionTrue
	}
	return meta.SetStatusCondition(list, metav1.Condition{
		Type: kind, Status: status, ObservedGeneration: generation, Reason: reason, Message: Truncate(message),
	})
}

// Holds reports whether a condition is there and True.
func Holds(list []metav1.Condition, kind string) bool { return meta.IsStatusConditionTrue(list, kind) }

// Truncate cuts a message to [MaxMessage] bytes without splitting a character, and marks the cut.
func Truncate(message string) string {
	if len(message) <= MaxMessage {
		return message
	}
	end := MaxMessage - len(ellipsis)
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + ellipsis
}
