package e2e

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// watchPods watches the pods of a namespace from now on.
func (w *world) watchPods(namespace string) watch.Interface {
	w.t.Helper()
	stream, err := admin.Watch(w.t.Context(), &corev1.PodList{}, client.InNamespace(namespace))
	w.must(err, "watching pods")
	w.t.Cleanup(stream.Stop)
	return stream
}

// neverTogether goes through what a watch brings until there was a pod of every gang, and fails if live pods of two gangs
// were there at once.
func (w *world) neverTogether(stream watch.Interface, gangs ...string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	live := map[string]map[string]bool{}
	for len(live) < len(gangs) {
		select {
		case <-ctx.Done():
			w.t.Fatalf("the watch brought pods of %d of the gangs %v", len(live), gangs)
		case event := <-stream.ResultChan():
			pod, ok := event.Object.(*corev1.Pod)
			if !ok {
				w.t.Fatalf("the watch broke: %+v", event)
			}
			note(live, pod, event.Type)
			if at := there(live); len(at) > 1 {
				w.t.Fatalf("pods of gangs %s were there at once", strings.Join(at, " and "))
			}
		}
	}
}

// note notes whether a pod is there and has not ended.
func note(live map[string]map[string]bool, pod *corev1.Pod, event watch.EventType) {
	gang := pod.Labels[v1alpha1.LabelGang]
	if live[gang] == nil {
		live[gang] = map[string]bool{}
	}
	if event == watch.Deleted || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		delete(live[gang], pod.Name)
	} else {
		live[gang][pod.Name] = true
	}
}

// there lists the gangs that have live pods.
func there(live map[string]map[string]bool) []string {
	var out []string
	for gang, pods := range live {
		if len(pods) > 0 {
			out = append(out, gang)
		}
	}
	return out
}
