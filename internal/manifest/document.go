package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is one YAML document of a file.
type Document struct {
	APIVersion, Kind string
	root             *yaml.Node
}

// Split parses a file into its documents, empty ones left out. A syntax error ends it: what follows cannot be read.
func Split(data []byte) ([]Document, Mistakes) {
	var documents []Document
	var mistakes Mistakes
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return documents, mistakes
		}
		if err != nil {
			return documents, append(mistakes, syntaxMistake(err))
		}
		if len(node.Content) == 0 || isNull(node.Content[0]) {
			continue
		}
		root := node.Content[0]
		if root.Kind != yaml.MappingNode {
			mistakes = append(mistakes, Mistake{Line: root.Line, Message: "got " + describe(root) + ", want a manifest"})
			continue
		}
		doc := Document{root: root}
		doc.APIVersion, doc.Kind = doc.text("apiVersion"), doc.text("kind")
		documents = append(documents, doc)
	}
}

// text returns a string field of the root, empty where it is something else.
func (d Document) text(field string) string {
	if n := child(d.root, field); n != nil {
		if s, ok := scalar(n).(string); ok {
			return s
		}
	}
	return ""
}

// Value returns the document as JSON would have it: maps, slices, strings, numbers, booleans and nil.
func (d Document) Value() (any, Mistakes) { return value(d.root) }

var yamlLine = regexp.MustCompile(`line (\d+): `)

// syntaxMistake takes the line out of the parser's message.
func syntaxMistake(err error) Mistake {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if at := yamlLine.FindStringSubmatchIndex(text); at != nil {
		line, _ = strconv.Atoi(text[at[2]:at[3]])
		text = text[:at[0]] + text[at[1]:]
	}
	return Mistake{Line: line, Message: fmt.Sprintf("not YAML: %s", text)}
}
