package e2e

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What people copy must be right, to the last field.
func TestSamplesAreAccepted(t *testing.T) {
	w := &world{t: t, name: "samples"}
	t.Parallel()
	for _, name := range []string{"pretraining", "finetuning", "research"} {
		w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	files, err := filepath.Glob("../config/samples/*.yaml")
	w.must(err, "looking for samples")
	// pools before teams before gangs, which speak of them
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(order(a), order(b)) })
	strict := serializer.NewCodecFactory(admin.Scheme(), serializer.EnableStrict).UniversalDeserializer()
	gangs := 0
	for _, file := range files {
		if filepath.Base(file) == "kustomization.yaml" {
			continue
		}
		raw, err := os.ReadFile(file)
		w.must(err, "reading a sample")
		for document := range strings.SplitSeq(string(raw), "\n---\n") {
			content, err := yaml.ToJSON([]byte(document))
			w.must(err, "%s", file)
			decoded, kind, err := strict.Decode(content, nil, nil)
			w.must(err, "decoding %s strictly", file)
			object, ok := decoded.(client.Object)
			if !ok {
				t.Fatalf("%s holds a %s", file, kind)
			}
			if kind.Kind != "GangJob" {
				w.create(object)
				continue
			}
			gangs++
			w.wait("the pool is known", func(ctx context.Context) bool {
				err = admin.Create(ctx, object.DeepCopyObject().(client.Object), client.DryRunAll)
				return err == nil || !strings.Contains(err.Error(), "no pool")
			}, func() string { return err.Error() })
			if err := admin.Create(w.ctx(time.Minute), object, client.DryRunAll); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if gangs < 4 {
		t.Errorf("%d gangs among the samples, want at least 4", gangs)
	}
}

func order(file string) string {
	name := filepath.Base(file)
	switch {
	case strings.HasPrefix(name, "pool"):
		return "1" + name
	case strings.HasPrefix(name, "team"):
		return "2" + name
	default:
		return "3" + name
	}
}
