package e2e

import (
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

// neverTogether goes through all that a watch has brought, and fails if live pods of two gangs were there at once.
func (w *world) neverTogether(stream watch.Interface, gangs ...string) {
	w.t.Helper()
	live := map[string]map[string]bool{}
	seen := map[string]bool{}
	for {
		var event watch.Event
		select {
		case event = <-stream.ResultChan():
		default:
			for _, g := range gangs {
				if !seen[g] {
					w.t.Errorf("the watch brought no pod of gang %s", g)
				}
			}
			return
		}
		pod, ok := event.Object.(*corev1.Pod)
		if !ok {
			w.t.Fatalf("the watch broke: %+v", event.Object)
		}
		gang := pod.Labels[v1alpha1.LabelGang]
		if live[gang] == nil {
			live[gang] = map[string]bool{}
		}
		seen[gang] = true
		ended := event.Type == watch.Deleted || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if live[gang][pod.Name] = true; ended {
			delete(live[gang], pod.Name)
		}
		var at []string
		for _, g := range gangs {
			if len(live[g]) > 0 {
				at = append(at, g)
			}
		}
		if len(at) > 1 {
			w.t.Fatalf("pods of gangs %s were there at once", strings.Join(at, " and "))
		}
	}
}
