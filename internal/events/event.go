package events

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Event is something that happened to an object.
type Event struct {
	// Type is Normal or Warning.
	Type string
	// Reason says what happened, Action what Berth did, each as one UpperCamelCase word.
	Reason, Action string
	// Note is the sentence for the user. It names objects of the regarded object's namespace only.
	Note string
}

// Recorder records events; the recorder of a controller-runtime manager is one.
type Recorder interface {
	Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any)
}

// Record records e about an object.
func Record(r Recorder, about runtime.Object, e Event) {
	r.Eventf(about, nil, e.Type, e.Reason, e.Action, "%s", clip(e.Note))
}

// maxNote is the longest note that the API takes, in bytes.
const maxNote = 1024

func clip(note string) string {
	if len(note) <= maxNote {
		return note
	}
	return note[:maxNote]
}

func normal(reason, action, note string) Event {
	return Event{Type: corev1.EventTypeNormal, Reason: reason, Action: action, Note: note}
}

func warning(reason, action, note string) Event {
	return Event{Type: corev1.EventTypeWarning, Reason: reason, Action: action, Note: note}
}
