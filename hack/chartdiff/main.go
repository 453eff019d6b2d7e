// Chartdiff compares two streams of manifests by what they would install, and tells every difference:
//
//	chartdiff <kustomize output> <helm template output>
//
// What the two tools add by themselves is left out: the Namespace, labels and annotations of helm, the hash in the name of a
// generated ConfigMap. The manager's configuration is compared with its defaults filled in. The exit code is 1 where they
// differ.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/berth-dev/berth/internal/config"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: chartdiff <kustomize output> <helm template output>")
		os.Exit(2)
	}
	differences, err := compare(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "chartdiff:", err)
		os.Exit(2)
	}
	for _, difference := range differences {
		fmt.Fprintln(os.Stderr, difference)
	}
	if len(differences) > 0 {
		os.Exit(1)
	}
}

func compare(kustomized, templated string) ([]string, error) {
	left, err := load(kustomized)
	if err != nil {
		return nil, err
	}
	right, err := load(templated)
	if err != nil {
		return nil, err
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(left)), maps.Keys(right))
	slices.Sort(keys)
	var differences []string
	for _, key := range slices.Compact(keys) {
		switch l, r := left[key], right[key]; {
		case r == nil:
			differences = append(differences, key+" is not in the chart")
		case l == nil:
			differences = append(differences, key+" is in the chart alone")
		default:
			if diff := cmp.Diff(l, r); diff != "" {
				differences = append(differences, fmt.Sprintf("%s differs (-config +chart):\n%s", key, diff))
			}
		}
	}
	return differences, nil
}

// load reads a stream of manifests, by kind and name.
func load(path string) (map[string]map[string]any, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	objects := map[string]map[string]any{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(raw), 4096)
	for {
		object := unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if object.Object == nil || object.GetKind() == "Namespace" {
			continue
		}
		if err := normalize(&object); err != nil {
			return nil, fmt.Errorf("%s: %s %s: %w", path, object.GetKind(), object.GetName(), err)
		}
		key := fmt.Sprintf("%s %s/%s", object.GetKind(), object.GetNamespace(), object.GetName())
		if objects[key] != nil {
			return nil, fmt.Errorf("%s: %s is there twice", path, key)
		}
		objects[key] = object.Object
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return objects, nil
}

var (
	generatedName = regexp.MustCompile(`^(berth-config)-[a-z0-9]{10}$`)
	image         = regexp.MustCompile(`:[^:/]+$`)
)

// ownAnnotations are those that the chart adds for its own upkeep.
var ownAnnotations = []string{"helm.sh/resource-policy", "berth.dev/config-checksum"}

func normalize(object *unstructured.Unstructured) error {
	object.SetName(generatedName.ReplaceAllString(object.GetName(), "$1"))
	annotations := object.GetAnnotations()
	maps.DeleteFunc(annotations, func(key, _ string) bool { return slices.Contains(ownAnnotations, key) })
	object.SetAnnotations(annotations)
	switch object.GetKind() {
	case "ConfigMap":
		return fillDefaults(object)
	case "Deployment":
		return normalizePod(object)
	}
	return nil
}

// fillDefaults replaces the manager's configuration by what the manager would make of it.
func fillDefaults(object *unstructured.Unstructured) error {
	text, found, err := unstructured.NestedString(object.Object, "data", "berth.yaml")
	if err != nil || !found {
		return errors.Join(err, fmt.Errorf("data[berth.yaml] is there: %t", found))
	}
	parsed, err := config.Parse([]byte(text))
	if err != nil {
		return err
	}
	object.Object["data"] = map[string]any{"berth.yaml": parsed}
	return nil
}

// normalizePod takes the version out of the image, and hashes out of names.
func normalizePod(object *unstructured.Unstructured) error {
	template := []string{"spec", "template"}
	for _, key := range ownAnnotations {
		unstructured.RemoveNestedField(object.Object, append(template, "metadata", "annotations", key)...)
	}
	pod, _, err := unstructured.NestedMap(object.Object, append(template, "spec")...)
	if err != nil {
		return err
	}
	containers, _ := pod["containers"].([]any)
	for _, c := range containers {
		container := c.(map[string]any)
		container["image"] = image.ReplaceAllString(container["image"].(string), "")
		if container["imagePullPolicy"] == "IfNotPresent" { // Kubernetes' default
			delete(container, "imagePullPolicy")
		}
	}
	volumes, _ := pod["volumes"].([]any)
	for _, v := range volumes {
		if source, ok := v.(map[string]any)["configMap"].(map[string]any); ok {
			source["name"] = generatedName.ReplaceAllString(source["name"].(string), "$1")
		}
	}
	return unstructured.SetNestedMap(object.Object, pod, append(template, "spec")...)
}
