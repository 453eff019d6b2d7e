package devcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
)

// fieldManager owns the fields that Apply sets.
const fieldManager = "devcluster"

// ApplyPath applies the manifests of a file, or of all .yaml, .yml and .json files of a folder in the order of their
// names, subfolders not included.
func (c *Cluster) ApplyPath(ctx context.Context, path string) error {
	raw, err := readManifests(path)
	if err != nil {
		return err
	}
	return c.Apply(ctx, raw)
}

// Apply applies YAML or JSON documents by server-side apply, with all rights, in the given order. Objects without a
// namespace go to "default".
func (c *Cluster) Apply(ctx context.Context, manifests []byte) error {
	objects, err := Decode(manifests)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(c.own)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.client.Discovery()))
	for _, object := range objects {
		if err := applyObject(ctx, client, mapper, object); err != nil {
			return fmt.Errorf("applying %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

func applyObject(ctx context.Context, client dynamic.Interface, mapper meta.ResettableRESTMapper, object *unstructured.Unstructured) error {
	kind := object.GroupVersionKind()
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		mapper.Reset() // its definition may have been applied a moment ago
		mapping, err = mapper.RESTMapping(kind.GroupKind(), kind.Version)
	}
	if err != nil {
		return err
	}
	var target dynamic.ResourceInterface = client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace := object.GetNamespace()
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		target = client.Resource(mapping.Resource).Namespace(namespace)
	}
	_, err = target.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
	return err
}

// Decode splits a stream of documents into objects; lists are unpacked, empty documents skipped.
func Decode(manifests []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading document %d: %w", len(objects)+1, err)
		}
		switch {
		case len(object.Object) == 0:
		case object.IsList():
			list, err := object.ToList()
			if err != nil {
				return nil, err
			}
			for i := range list.Items {
				objects = append(objects, &list.Items[i])
			}
		default:
			objects = append(objects, object)
		}
	}
}

// readManifests reads a file, or the manifests of a folder as one stream.
func readManifests(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return os.ReadFile(path)
	}
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name()))
	})
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s holds no .yaml, .yml or .json file", path)
	}
	var all bytes.Buffer
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join(path, entry.Name()))
		if err != nil {
			return nil, err
		}
		all.WriteString("\n---\n")
		all.Write(raw)
	}
	return all.Bytes(), nil
}
