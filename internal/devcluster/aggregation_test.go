package devcluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes"
)

func TestAggregatedServerOnThisMachineLearnsTheCaller(t *testing.T) {
	ctx, c, client := shared(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/apis/view.example.com/v1/whoami" {
			if err := json.NewEncoder(w).Encode(append(r.Header["X-Remote-User"], r.Header["X-Remote-Group"]...)); err != nil {
				t.Error(err)
			}
			return
		}
		fmt.Fprint(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"view.example.com/v1","resources":[]}`)
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	manifests := fmt.Sprintf(`
apiVersion: v1
kind: Service
metadata: {name: view}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.view.example.com}
spec:
  group: view.example.com
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {name: view, namespace: default, port: %s}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: view-example}
rules: [{apiGroups: [view.example.com], resources: [whoami], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: view-example}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view-example}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: viewers}]
`, address.Port())
	if err := c.Apply(ctx, []byte(manifests)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // else discovery would fail in the tests that follow
		err := client.RESTClient().Delete().AbsPath("/apis/apiregistration.k8s.io/v1/apiservices/v1.view.example.com").Do(context.WithoutCancel(ctx)).Error()
		if err != nil {
			t.Error(err)
		}
	})
	config, err := c.ConfigFor("eve", "viewers")
	if err != nil {
		t.Fatal(err)
	}
	eve, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var caller []string
	eventually(ctx, t, c, "the aggregated server answers", func(ctx context.Context) (bool, error) {
		raw, err := eve.RESTClient().Get().AbsPath("/apis/view.example.com/v1/whoami").DoRaw(ctx)
		if err != nil {
			return false, nil //nolint:nilerr // not yet: unavailable, or not yet allowed
		}
		return true, json.Unmarshal(raw, &caller)
	})
	if diff := cmp.Diff([]string{"eve", "viewers", "system:authenticated"}, caller); diff != "" {
		t.Errorf("caller (-want +got):\n%s", diff)
	}
}
