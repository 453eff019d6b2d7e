package devcluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/devcluster"
)

const widgetCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

func TestDefinitionsAreServedWhenInstallReturns(t *testing.T) {
	ctx, c, client := shared(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "widget.yaml"), []byte(widgetCRD), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.InstallCRDs(ctx, dir); err != nil {
		t.Fatal(err)
	}
	widgets := `
apiVersion: v1
kind: List
items:
- {apiVersion: example.com/v1, kind: Widget, metadata: {name: one}}
- {apiVersion: example.com/v1, kind: Widget, metadata: {name: two, namespace: kube-system}}
`
	if err := c.Apply(ctx, []byte(widgets)); err != nil {
		t.Fatal(err)
	}
	raw, err := client.RESTClient().Get().AbsPath("/apis/example.com/v1/widgets").DoRaw(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"one","namespace":"default"`, `"name":"two","namespace":"kube-system"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s lacks %s", raw, want)
		}
	}

	if err := os.WriteFile(filepath.Join(dir, "zz.yaml"), []byte("{apiVersion: v1, kind: Namespace, metadata: {name: x}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.InstallCRDs(ctx, dir); err == nil || !strings.Contains(err.Error(), "Namespace named x") {
		t.Errorf("error %v, want one that names the Namespace", err)
	}
}

func TestAuditLogCountsWrites(t *testing.T) {
	ctx, c, client := shared(t)
	namespace := unique("audited")
	if err := c.Apply(ctx, []byte("{apiVersion: v1, kind: Namespace, metadata: {name: "+namespace+"}}")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		manifest := "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: " + namespace + "}}"
		if err := c.Apply(ctx, []byte(manifest)); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	events, err := c.AuditEvents(func(e devcluster.AuditEvent) bool {
		return (e.User == "admin" || e.User == "devcluster") && e.Resource == "configmaps" && e.Namespace == namespace
	})
	if err != nil {
		t.Fatal(err)
	}
	var verbs []string
	writes := 0
	for _, event := range events {
		verbs = append(verbs, event.User+" "+event.Verb)
		if event.IsWrite() {
			writes++
		}
	}
	if got, want := strings.Join(verbs, ", "), "devcluster patch, devcluster patch, devcluster patch, admin delete, admin list"; got != want || writes != 4 {
		t.Errorf("requests %q with %d writes, want %q with 4", got, writes, want)
	}
}
