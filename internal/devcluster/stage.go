package devcluster

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/yaml"
)

// stage is what this package uses of kwok's Stage: objects that match are changed after a delay.
type stage struct {
	name   string
	kind   string // of core/v1
	match  []requirement
	delay  string // a jq expression of a duration; empty for none
	least  int64  // without delay: the bounds of a random one, in milliseconds
	jitter int64
	steps  []map[string]any
}

// requirement is a jq query over an object and what its result must be.
type requirement struct {
	query    string
	operator string // In, NotIn, Exists, DoesNotExist
	values   []string
}

func exists(query string) requirement { return requirement{query: query, operator: "Exists"} }
func absent(query string) requirement { return requirement{query: query, operator: "DoesNotExist"} }
func in(query string, values ...string) requirement {
	return requirement{query: query, operator: "In", values: values}
}

func notIn(query string, values ...string) requirement {
	return requirement{query: query, operator: "NotIn", values: values}
}

// patchStatus changes the status by a Go template that yields YAML.
func patchStatus(template string) map[string]any {
	return map[string]any{"patch": map[string]any{
		"subresource": "status", "root": "status", "template": template, "type": "strategic",
	}}
}

// patchMetadata changes the metadata likewise.
func patchMetadata(template string) map[string]any {
	return map[string]any{"patch": map[string]any{"root": "metadata", "template": template, "type": "merge"}}
}

// manifest is the stage in kwok's own form.
func (s stage) manifest() map[string]any {
	var match []any
	for _, r := range s.match {
		jq := map[string]any{"key": r.query, "operator": r.operator}
		if r.values != nil {
			jq["values"] = r.values
		}
		match = append(match, map[string]any{"jq": jq})
	}
	spec := map[string]any{
		"resourceRef": map[string]any{"apiGroup": "v1", "kind": s.kind},
		"selector":    map[string]any{"matchExpressions": match},
		"steps":       s.steps,
	}
	switch {
	case s.delay != "":
		spec["delay"] = map[string]any{"durationFrom": map[string]any{"jq": map[string]any{"expression": s.delay}}}
	case s.jitter != 0:
		spec["delay"] = map[string]any{"durationMilliseconds": s.least, "jitterDurationMilliseconds": s.jitter}
	}
	return map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1",
		"kind":       "Stage",
		"metadata":   map[string]any{"name": s.name},
		"spec":       spec,
	}
}

// kwokConfig is kwok's configuration file: its options and all stages.
func kwokConfig() ([]byte, error) {
	documents := []map[string]any{{
		"apiVersion": "config.kwok.x-k8s.io/v1alpha1",
		"kind":       "KwokConfiguration",
		"options": map[string]any{
			"manageNodesWithLabelSelector": labelKubelet + "=" + kubeletRunning,
			"cidr":                         "10.128.0.0/10",
			"nodeIP":                       "10.64.0.1",
			"podPlayStageParallelism":      16,
			"nodePlayStageParallelism":     8,
		},
	}}
	for _, s := range append(nodeStages(), podStages()...) {
		documents = append(documents, s.manifest())
	}
	var out bytes.Buffer
	for _, document := range documents {
		raw, err := yaml.Marshal(document)
		if err != nil {
			return nil, fmt.Errorf("writing kwok's configuration: %w", err)
		}
		out.WriteString("---\n")
		out.Write(raw)
	}
	return out.Bytes(), nil
}
