// Crds makes generated CRDs small enough for client-side apply, which keeps a copy of them in an annotation of at most
// 256 KiB: the schema of pod templates, which Kubernetes documents already, is written without descriptions and on one
// line. The descriptions of Berth's own fields stay, for kubectl explain.
//
//	crds FILE...
package main

import (
	"bytes"
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	for _, path := range os.Args[1:] {
		if err := shrink(path); err != nil {
			fmt.Fprintf(os.Stderr, "crds: %s: %v\n", path, err)
			os.Exit(1)
		}
	}
}

// shrink rewrites the file of a CRD.
func shrink(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(raw, &document); err != nil {
		return err
	}
	templates(&document, func(schema *yaml.Node) {
		undescribe(schema)
		schema.Style = yaml.FlowStyle
	})
	var out bytes.Buffer
	out.WriteString("---\n")
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(&document); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// templates visits the schemas of fields called template.
func templates(node *yaml.Node, visit func(*yaml.Node)) {
	for i, child := range node.Content {
		isValue := node.Kind == yaml.MappingNode && i%2 == 1
		if isValue && node.Content[i-1].Value == "template" && child.Kind == yaml.MappingNode {
			visit(child)
			continue
		}
		templates(child, visit)
	}
}

// undescribe removes all descriptions from a schema.
func undescribe(node *yaml.Node) {
	if node.Kind == yaml.MappingNode {
		kept := node.Content[:0]
		for i := 0; i < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			if key.Value != "description" || value.Kind != yaml.ScalarNode {
				kept = append(kept, key, value)
			}
		}
		node.Content = kept
	}
	for _, child := range node.Content {
		undescribe(child)
	}
}
