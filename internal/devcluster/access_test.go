package devcluster_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/berth-dev/berth/internal/devcluster"
)

func TestUsersMayDoWhatRBACSays(t *testing.T) {
	ctx, c, client := shared(t)
	readers := unique("readers")
	config, err := c.ConfigFor("ann", readers)
	if err != nil {
		t.Fatal(err)
	}
	ann, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ann.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Fatalf("without rights: %v, want forbidden", err)
	}
	manifest := strings.ReplaceAll(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: readers}
rules: [{apiGroups: [""], resources: [nodes], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: readers}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: readers}]
`, "readers", readers)
	if err := c.Apply(ctx, []byte(manifest)); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RbacV1().ClusterRoleBindings().Get(ctx, readers, metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(ctx, t, c, "the right is granted", func(ctx context.Context) (bool, error) {
		_, err := ann.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if apierrors.IsForbidden(err) {
			return false, nil
		}
		return err == nil, err
	})
	if err := ann.CoreV1().Nodes().Delete(ctx, "n0", metav1.DeleteOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("deleting a node: %v, want forbidden", err)
	}
}

func TestServiceAccountTokensAuthenticate(t *testing.T) {
	ctx, c, client := shared(t)
	request := &authenticationv1.TokenRequest{}
	token, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).CreateToken(ctx, "default", request, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := c.Config()
	bearer, err := kubernetes.NewForConfig(&rest.Config{
		Host:            config.Host,
		BearerToken:     token.Status.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: config.CAData},
	})
	if err != nil {
		t.Fatal(err)
	}
	review, err := bearer.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := review.Status.UserInfo.Username, "system:serviceaccount:default:default"; got != want {
		t.Errorf("the token is %q's, want %q's", got, want)
	}
}

func TestKubectlWorksWithAWrittenKubeconfig(t *testing.T) {
	ctx, c, _ := shared(t)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := c.WriteKubeconfig(path, "bob", "guests"); err != nil {
		t.Fatal(err)
	}
	for kubeconfig, want := range map[string]string{c.Kubeconfig(): "admin", path: "bob"} {
		out, err := exec.CommandContext(ctx, c.Binary("kubectl"), "--kubeconfig", kubeconfig, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.TrimSpace(string(out)); got != want {
			t.Errorf("kubectl is %q, want %q", got, want)
		}
	}
}

func TestStartHonoursKubebuilderAssets(t *testing.T) {
	_, c, _ := shared(t)
	dir := t.TempDir()
	t.Setenv("BERTH_TEST_KUBERNETES", "")
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
		started, err := devcluster.Start(t.Context(), devcluster.Options{})
		if err == nil {
			t.Fatalf("started without %s, and stopped with %v", name, started.Stop())
		}
		if want := "KUBEBUILDER_ASSETS: " + dir + " holds no " + name; !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
		if err := os.Symlink(c.Binary(name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	started, err := devcluster.Start(t.Context(), devcluster.Options{}) // etcd and kwok come from the build
	if err != nil {
		t.Fatal(err)
	}
	if got, want := started.Binary("kube-apiserver"), filepath.Join(dir, "kube-apiserver"); got != want {
		t.Errorf("kube-apiserver is %s, want %s", got, want)
	}
	if err := started.Stop(); err != nil {
		t.Error(err)
	}
}

func TestStartSaysWhatItLacks(t *testing.T) {
	for name, test := range map[string]struct {
		options devcluster.Options
		want    string
	}{
		"a folder without binaries":        {devcluster.Options{Assets: t.TempDir()}, "holds no kube-apiserver"},
		"a version that nobody has pinned": {devcluster.Options{Version: "1.2"}, `Kubernetes version "1.2"`},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := devcluster.Start(t.Context(), test.options)
			if err == nil {
				t.Fatalf("started, and stopped with %v", c.Stop())
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}
