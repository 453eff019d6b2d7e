package devmanager

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/berth-dev/berth/internal/devcluster"
)

// The names that config/ gives.
const (
	namespace      = "berth-system"
	serviceAccount = "berth-manager"
)

// Install applies what config/default holds, but for the manager's Deployment and what belongs to it, and leads the
// webhooks' Service to a port of this machine. It may be called again, with another port.
func Install(ctx context.Context, c *devcluster.Cluster, root string, webhookPort int) error {
	objects, err := build(ctx, c.Binary("kubectl"), filepath.Join(root, "config", "default"))
	if err != nil {
		return err
	}
	if err := c.InstallCRDs(ctx, filepath.Join(root, "config", "crd", "bases")); err != nil {
		return err
	}
	objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool {
		return slices.Contains([]string{"CustomResourceDefinition", "Deployment", "PodDisruptionBudget", "ConfigMap"}, o.GetKind())
	})
	var stream bytes.Buffer
	for _, object := range objects {
		if err := redirect(object, int64(webhookPort)); err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
		raw, err := object.MarshalJSON()
		if err != nil {
			return err
		}
		fmt.Fprintf(&stream, "---\n%s\n", raw)
	}
	return c.Apply(ctx, stream.Bytes())
}

// redirect leads Services, and the webhooks behind them, to this machine. The API server follows an ExternalName, and
// checks the certificate against the Service's name all the same.
func redirect(object *unstructured.Unstructured, port int64) error {
	switch object.GetKind() {
	case "Service":
		object.Object["spec"] = map[string]any{"type": "ExternalName", "externalName": "localhost"}
	case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
		hooks, _, err := unstructured.NestedSlice(object.Object, "webhooks")
		if err != nil {
			return err
		}
		for _, hook := range hooks {
			if err := unstructured.SetNestedField(hook.(map[string]any), port, "clientConfig", "service", "port"); err != nil {
				return err
			}
		}
		return unstructured.SetNestedSlice(object.Object, hooks, "webhooks")
	}
	return nil
}

// build runs kustomize over a folder.
func build(ctx context.Context, kubectl, folder string) ([]*unstructured.Unstructured, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, kubectl, "kustomize", folder)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("kubectl kustomize %s: %w\n%s", folder, err, stderr.String())
	}
	objects, err := devcluster.Decode(out)
	if err != nil {
		return nil, fmt.Errorf("reading what kustomize made of %s: %w", folder, err)
	}
	return objects, nil
}
