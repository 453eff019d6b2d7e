package devmanager_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devmanager"
)

// startCluster starts a cluster without nodes.
func startCluster(t *testing.T) (context.Context, *devcluster.Cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	c, err := devcluster.Start(ctx, devcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return ctx, c
}

func TestEverythingThatUsersInstallIsAccepted(t *testing.T) {
	ctx, c := startCluster(t)
	apply := exec.CommandContext(ctx, c.Binary("kubectl"), "--kubeconfig="+c.Kubeconfig(),
		"apply", "--server-side", "--validate=strict", "-k", filepath.Join("..", "..", "config", "default"))
	out, err := apply.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"deployment.apps/berth-manager", "gangjobs.berth.dev", "clusterrole.rbac.authorization.k8s.io/berth-manager"} {
		if !strings.Contains(string(out), want+" serverside-applied") {
			t.Errorf("%s was not applied:\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "Warning") {
		t.Errorf("the API server warns:\n%s", out)
	}
}

func TestManagerServesWebhooksAlsoAfterARestart(t *testing.T) {
	ctx, c := startCluster(t)
	binary := filepath.Join(t.TempDir(), "berth")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, filepath.Join("..", "..")).CombinedOutput(); err != nil {
		t.Fatalf("building the manager: %v\n%s", err, out)
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	admin, err := client.New(c.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	for _, life := range []string{"first", "second"} {
		manager, err := devmanager.Start(ctx, c, devmanager.Options{Root: filepath.Join("..", ".."), Binary: binary})
		if err != nil {
			t.Fatal(err)
		}
		err = admin.Create(ctx, gangOnTheHost(life))
		if err == nil || !strings.Contains(err.Error(), "hostPID") {
			t.Errorf("%s life: a gang with hostPID should be refused by a webhook, naming the field; got %v", life, err)
		}
		if err := manager.Stop(); err != nil {
			t.Errorf("%s life: %v", life, err)
		}
	}
}

// gangOnTheHost asks for what no rule of the CRD forbids, and a webhook does.
func gangOnTheHost(name string) *v1alpha1.GangJob {
	return &v1alpha1.GangJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name},
		Spec: v1alpha1.GangJobSpec{Roles: []v1alpha1.Role{{
			Name: "worker",
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				HostPID:    true,
				Containers: []corev1.Container{{Name: "main", Image: "registry.example.com/train"}},
			}},
		}}},
	}
}
