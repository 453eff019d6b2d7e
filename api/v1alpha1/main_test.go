package v1alpha1_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// server is the API server that the tests of this package speak to.
var server struct {
	cluster *devcluster.Cluster
	client  client.Client
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	cluster, err := devcluster.Start(ctx, devcluster.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "starting the API server:", err)
		return 1
	}
	defer func() {
		if err := cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stopping the API server:", err)
		}
	}()
	if err := cluster.InstallCRDs(ctx, "../../config/crd/bases"); err != nil {
		fmt.Fprintln(os.Stderr, "installing the CRDs:", err)
		return 1
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			fmt.Fprintln(os.Stderr, "filling the scheme:", err)
			return 1
		}
	}
	server.cluster = cluster
	server.client, err = client.New(cluster.Config(), client.Options{Scheme: scheme})
	if err != nil {
		fmt.Fprintln(os.Stderr, "making a client:", err)
		return 1
	}
	return m.Run()
}

// create submits a manifest as kubectl does: strictly, so that unknown and duplicate fields are errors.
func create(t *testing.T, manifest string) (*unstructured.Unstructured, error) {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatalf("reading the manifest: %v", err)
	}
	object.SetAPIVersion(v1alpha1.GroupVersion.String())
	if object.GetName() == "" {
		object.SetGenerateName("t-")
	}
	err := client.WithFieldValidation(server.client, metav1.FieldValidationStrict).Create(t.Context(), object)
	if err == nil {
		t.Cleanup(func() { _ = server.client.Delete(context.WithoutCancel(t.Context()), object) })
	}
	return object, err
}
