package devcluster

import "fmt"

// jq snippets over a pod. seconds reads a Go duration; wait clips a number of seconds and writes it as a duration.
const (
	jqFunctions = `def seconds: [scan("([0-9.]+)(ms|h|m|s)") | (.[0]|tonumber) * {"h":3600,"m":60,"s":1,"ms":0.001}[.[1]]] | add // 0; ` +
		`def wait: [., 0] | max | . * 1000 | floor | tostring + "ms"; ` +
		`def annotation($k): (.metadata.annotations // {})[$k]; `

	// When the containers started, to the nanosecond: their ids hold it, since the API keeps whole seconds only.
	jqStarted = `(.status.containerStatuses[0].containerID | ltrimstr("kwok://") | tonumber / 1e9)`

	// When a pod that is being deleted will be killed, and when it was told to stop, not before the latter.
	jqKilled = `(.metadata.deletionTimestamp | fromdate)`
	jqTold   = `(` + jqKilled + ` - .metadata.deletionGracePeriodSeconds + 1)`

	// Whether the program is still there when the grace period is over.
	jqIgnores = jqFunctions + `.metadata.deletionGracePeriodSeconds as $grace | annotation("` + AnnotationStopAfter + `") // "0s" | ` +
		`if . == "never" then true else seconds > $grace end`
)

// runningStatus is the status of a pod whose containers all run, native sidecars included.
const runningStatus = `{{ $now := Now }}{{ $id := printf "kwok://%d" (now).UnixNano }}
phase: Running
startTime: {{ $now | Quote }}
conditions:
{{ range list "PodReadyToStartContainers" "Initialized" "ContainersReady" "Ready" }}
- {type: {{ . }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
{{ end }}
{{ range .spec.readinessGates }}
- {type: {{ .conditionType }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
{{ end }}
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  containerID: {{ $id | Quote }}
{{ if eq (default "" .restartPolicy) "Always" }}
  started: true
  state: {running: {startedAt: {{ $now | Quote }}}}
{{ else }}
  started: false
  state: {terminated: {exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }}}}
{{ end }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  started: true
  restartCount: 0
  containerID: {{ $id | Quote }}
  state: {running: {startedAt: {{ $now | Quote }}}}
{{ end }}
{{ $hostIPs := NodeIPsWith .spec.nodeName }}
{{ with $hostIPs }}
hostIP: {{ index . 0 | Quote }}
hostIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
{{ $podIPs := PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
{{ with $podIPs }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
`

// endedStatus is the status of a pod whose containers ended with $code, which the template before it sets.
const endedStatus = `{{ $now := Now }}{{ $root := . }}
{{ $reason := ternary "Completed" "Error" (eq $code "0") }}
phase: {{ ternary "Succeeded" "Failed" (eq $code "0") }}
conditions:
{{ range list "ContainersReady" "Ready" }}
- type: {{ . }}
  status: "False"
  reason: {{ ternary "PodCompleted" "PodFailed" (eq $code "0") }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
{{ if .status.containerStatuses }}
containerStatuses:
{{ range .status.containerStatuses }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  containerID: {{ .containerID | Quote }}
  state:
    terminated:
      exitCode: {{ $code }}
      reason: {{ $reason }}
      containerID: {{ .containerID | Quote }}
      startedAt: {{ (get (default dict .state.running) "startedAt") | default $now | Quote }}
      finishedAt: {{ $now | Quote }}
{{ end }}
{{ end }}
`

// rejectedStatus is the status of a pod that the kubelet did not admit.
const rejectedStatus = `phase: Failed
reason: {{ index .metadata.annotations "` + AnnotationReject + `" | Quote }}
message: "Pod was rejected"
startTime: {{ Now | Quote }}
`

// podStages play the part of the kubelet for pods, as their annotations say.
func podStages() []stage {
	annotation := func(key string) string { return fmt.Sprintf(".metadata.annotations[%q]", key) }
	const phase, deleted = ".status.phase", ".metadata.deletionTimestamp"
	managed := absent(annotation(annotationKubelet))

	code := func(key, otherwise string) string {
		return fmt.Sprintf("{{ $code := get (default dict .metadata.annotations) %q | default %q }}", key, otherwise)
	}
	stages := []stage{{
		name:  "pod-start",
		match: []requirement{absent(deleted), in(phase, "Pending"), absent(annotation(AnnotationReject)), notIn(annotation(AnnotationStartAfter), "never")},
		delay: jqFunctions + fmt.Sprintf(`(annotation(%q) // "0s" | seconds) as $after | if $after == 0 then "0s" else `+
			`([.status.conditions[]? | select(.type == "PodScheduled") | .lastTransitionTime | fromdate] | first // now) + $after - now | wait end`, AnnotationStartAfter),
		steps: []map[string]any{patchStatus(runningStatus)},
	}, {
		name:  "pod-reject",
		match: []requirement{absent(deleted), in(phase, "Pending"), exists(annotation(AnnotationReject))},
		steps: []map[string]any{patchStatus(rejectedStatus)},
	}, {
		name:  "pod-finish",
		match: []requirement{absent(deleted), in(phase, "Running"), exists(annotation(AnnotationRunFor)), absent(annotation(AnnotationFail))},
		delay: jqFunctions + fmt.Sprintf(`%s + (annotation(%q) | seconds) - now | wait`, jqStarted, AnnotationRunFor),
		steps: []map[string]any{patchStatus(code(AnnotationExitCode, "0") + endedStatus)},
	}, {
		name:  "pod-fail",
		match: []requirement{absent(deleted), in(phase, "Running"), exists(annotation(AnnotationFail))},
		steps: []map[string]any{patchStatus(code(AnnotationFail, "1") + endedStatus)},
	}, {
		// a pod that was told to stop reports its end first: controllers that wait for a terminal phase see it
		name:  "pod-stop",
		match: []requirement{exists(deleted), in(phase, "Pending", "Running"), in(jqIgnores, "false")},
		delay: jqFunctions + fmt.Sprintf(`(annotation(%q) // "0s" | seconds) as $after | if $after == 0 then "0s" else `+
			`%s + $after - now | wait end`, AnnotationStopAfter, jqTold),
		steps: []map[string]any{patchStatus(code(AnnotationStopExitCode, "143") + endedStatus)},
	}, {
		name:  "pod-kill",
		match: []requirement{exists(deleted), in(phase, "Pending", "Running"), in(jqIgnores, "true")},
		delay: jqFunctions + jqKilled + ` - now | wait`,
		steps: []map[string]any{patchStatus(`{{ $code := "137" }}` + endedStatus)},
	}, {
		// and is then removed; where finalizers are left, the API server does so when the last one is gone
		name:  "pod-remove",
		match: []requirement{exists(deleted), in(phase, "Succeeded", "Failed"), notIn(".metadata.deletionGracePeriodSeconds | tostring", "0")},
		steps: []map[string]any{{"delete": true}},
	}}
	for i := range stages {
		stages[i].match = append(stages[i].match, managed)
	}
	stages = append(stages, stage{
		// takes the place of what was due for the pod, so that nothing happens to it on a dead node
		name:  "pod-freeze",
		match: []requirement{in(annotation(annotationKubelet), kubeletStopping)},
		steps: []map[string]any{patchMetadata(fmt.Sprintf("annotations: {%s: %s}", annotationKubelet, kubeletStopped))},
	})
	for i := range stages {
		stages[i].kind = "Pod"
	}
	return stages
}
