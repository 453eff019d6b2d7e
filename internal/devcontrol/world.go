package devcontrol

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

// World is a development cluster on which controllers run.
type World struct {
	Cluster *devcluster.Cluster
	// Client has all rights, and reads from the API server itself.
	Client client.Client
}

// Create makes objects that go with the test.
func (w *World) Create(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, o := range objects {
		if err := w.Client.Create(t.Context(), o); err != nil {
			t.Fatalf("creating %T %s: %v", o, o.GetName(), err)
		}
		t.Cleanup(func() { _ = w.Client.Delete(context.Background(), o) })
	}
}

// AddNodes makes nodes, which stay.
func (w *World) AddNodes(t *testing.T, groups ...devcluster.NodeGroup) {
	t.Helper()
	if err := w.Cluster.AddNodes(t.Context(), groups...); err != nil {
		t.Fatal(err)
	}
}

// Change reads an object, changes it and writes it back, all but its status.
func Change[T client.Object](t *testing.T, w *World, obj T, change func(T)) {
	t.Helper()
	w.change(t, obj, func() error {
		before := obj.DeepCopyObject().(client.Object)
		change(obj)
		return w.Client.Patch(t.Context(), obj, client.MergeFrom(before))
	})
}

// ChangeStatus is Change for the status.
func ChangeStatus[T client.Object](t *testing.T, w *World, obj T, change func(T)) {
	t.Helper()
	w.change(t, obj, func() error {
		before := obj.DeepCopyObject().(client.Object)
		change(obj)
		return w.Client.Status().Patch(t.Context(), obj, client.MergeFrom(before))
	})
}

func (w *World) change(t *testing.T, obj client.Object, write func() error) {
	t.Helper()
	if err := w.Client.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil {
		t.Fatalf("reading %T %s: %v", obj, obj.GetName(), err)
	}
	if err := write(); err != nil {
		t.Fatalf("changing %T %s: %v", obj, obj.GetName(), err)
	}
}

// Eventually looks until wrong returns "" and fails the test with what it returned last if that takes too long.
func (w *World) Eventually(t *testing.T, what string, wrong func(context.Context) string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	last := ""
	err := w.Cluster.WaitFor(ctx, what, func(ctx context.Context) (bool, error) {
		if now := wrong(ctx); ctx.Err() == nil {
			last = now
			return last == "", nil
		}
		return false, nil
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, last)
	}
}

// EventuallyRow waits until the cells of an object's row are as kubectl get is to print them, those left out of want aside.
func (w *World) EventuallyRow(t *testing.T, resource, name string, want map[string]string) {
	t.Helper()
	w.Eventually(t, fmt.Sprintf("the row of %s %s is right", resource, name), func(ctx context.Context) string {
		got, err := w.Row(ctx, resource, name)
		if err != nil {
			return err.Error()
		}
		var wrong []string
		for column, cell := range want {
			if got[column] != cell {
				wrong = append(wrong, fmt.Sprintf("%s is %q, want %q", column, got[column], cell))
			}
		}
		return strings.Join(wrong, "\n")
	})
}

// Row returns what kubectl get -o wide prints of an object of this API group, by column.
func (w *World) Row(ctx context.Context, resource, name string) (map[string]string, error) {
	clients, err := kubernetes.NewForConfig(w.Cluster.Config())
	if err != nil {
		return nil, err
	}
	raw, err := clients.RESTClient().Get().AbsPath("/apis", v1alpha1.GroupVersion.String(), resource, name).
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	var table metav1.Table
	if err := json.Unmarshal(raw, &table); err != nil {
		return nil, err
	}
	if len(table.Rows) != 1 {
		return nil, fmt.Errorf("the table has %d rows, want 1", len(table.Rows))
	}
	row := map[string]string{}
	for i, column := range table.ColumnDefinitions {
		row[column.Name] = ""
		if cell := table.Rows[0].Cells[i]; cell != nil {
			row[column.Name] = fmt.Sprint(cell)
		}
	}
	return row, nil
}
