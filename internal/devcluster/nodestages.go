package devcluster

import "time"

// heartbeatInterval is how often a node reports itself. It is far longer than a real kubelet's, to keep hundreds of
// nodes from being the cluster's main load; the controller manager's grace period is four times as long.
const heartbeatInterval = 5 * time.Minute

// readyStatus is what a healthy kubelet reports. The conditions' times of transition are kept where they did not change.
const readyStatus = `{{ $root := . }}{{ $now := Now }}
conditions:
{{ range NodeConditions }}
{{ $since := $now }}
{{ $new := . }}
{{ range $root.status.conditions }}
{{ if and (eq .type $new.type) (eq .status $new.status) }}{{ $since = .lastTransitionTime }}{{ end }}
{{ end }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $since | Quote }}
{{ end }}
`

// nodeStages make nodes Ready and keep them so.
func nodeStages() []stage {
	const ready = `.status.conditions.[] | select( .type == "Ready" ) | .status`
	least := heartbeatInterval.Milliseconds()
	return []stage{{
		name:  "node-initialize",
		kind:  "Node",
		match: []requirement{notIn(ready, "True")},
		steps: []map[string]any{patchStatus(readyStatus)},
	}, {
		name:   "node-heartbeat",
		kind:   "Node",
		match:  []requirement{in(ready, "True")},
		least:  least,
		jitter: least + least/5, // spread, so that not all come at once
		steps:  []map[string]any{patchStatus(readyStatus)},
	}}
}
