package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/gang"
)

// assignments answers from two fixed berths, and counts what is read live.
type assignments struct {
	known, live *Berth
	err         error
	reads       int
}

func (a *assignments) Known(types.UID) (*Berth, bool) { return a.known, a.known != nil }

func (a *assignments) Live(context.Context, types.NamespacedName, types.UID) (*Berth, error) {
	a.reads++
	return a.live, a.err
}

// berth is one of a launcher, two workers and a free role.
func berth(attempt int32) *Berth {
	return &Berth{
		Attempt: attempt, Pool: "h100", Domain: "s0/r1", Free: map[string]bool{"logger": true},
		Roles: map[string]RoleRanks{"launcher": {First: 0, Nodes: []string{"n5"}}, "worker": {First: 1, Nodes: []string{"n5", "n6"}}},
	}
}

// request asks about a rank's pod.
func request(tb testing.TB, role, attempt, index string) admission.Request {
	tb.Helper()
	raw, err := json.Marshal(&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: "llama-worker-1-0-",
			Labels:       map[string]string{v1alpha1.LabelGang: "llama", v1alpha1.LabelGangUID: "u", v1alpha1.LabelRole: role},
			Annotations:  map[string]string{v1alpha1.AnnotationAttempt: attempt, "batch.kubernetes.io/job-completion-index": index},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "train", Env: make([]corev1.EnvVar, 40)}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: "research", Object: runtime.RawExtension{Raw: raw}}}
}

func TestARankIsSentToItsNode(t *testing.T) {
	placer := &PodPlacer{Assignments: &assignments{known: berth(3)}}
	response := placer.Handle(t.Context(), request(t, "worker", "3", "1"))
	if !response.Allowed {
		t.Fatalf("refused: %v", response.Result)
	}
	got := map[string]string{}
	for _, patch := range response.Patches {
		raw, err := json.Marshal(patch.Value)
		if err != nil {
			t.Fatal(err)
		}
		got[patch.Operation+" "+patch.Path] = string(raw)
	}
	for path, want := range map[string]string{
		"add /spec/affinity":    `"values":["n6"]`,
		"add /spec/tolerations": `[{"key":"berth.dev/pool","operator":"Equal","value":"h100","effect":"NoSchedule"}]`,
		"add /metadata/annotations/" + strings.ReplaceAll(gang.AnnotationGangRank, "/", "~1"): `"2"`,
		"add /metadata/annotations/berth.dev~1domain":                                         `"s0/r1"`,
	} {
		if !strings.Contains(got[path], want) {
			t.Errorf("%s is %s, want %s in it", path, got[path], want)
		}
	}
}

func TestWhatAPodIsAnsweredByWhatIsKnown(t *testing.T) {
	tests := map[string]struct {
		assignments          assignments
		role, attempt, index string
		code                 int32
		reads                int
		message              string
	}{
		"its attempt is known":              {assignments{known: berth(3)}, "worker", "3", "0", http.StatusOK, 0, ""},
		"an older one is known, read anew":  {assignments{known: berth(2), live: berth(3)}, "worker", "3", "0", http.StatusOK, 1, ""},
		"nothing is known, read anew":       {assignments{live: berth(3)}, "worker", "3", "0", http.StatusOK, 1, ""},
		"the API server knows an older one": {assignments{known: berth(2), live: berth(2)}, "worker", "3", "0", http.StatusConflict, 1, "its current attempt is 2"},
		"the gang has no slot":              {assignments{}, "worker", "3", "0", http.StatusConflict, 1, "it has no reserved slot"},
		"a later attempt is known":          {assignments{known: berth(4)}, "worker", "3", "0", http.StatusConflict, 0, "its current attempt is 4"},
		"it is more than the slot has":      {assignments{known: berth(3)}, "worker", "3", "2", http.StatusConflict, 0, "role worker has 2 ranks in the slot, this is rank 2"},
		"its role is not in the slot":       {assignments{known: berth(3)}, "evaluator", "3", "0", http.StatusConflict, 0, "role evaluator has 0 ranks"},
		"its role is free":                  {assignments{known: berth(3)}, "logger", "3", "0", http.StatusOK, 0, ""},
		"the API server cannot be asked":    {assignments{err: errors.New("no route")}, "worker", "3", "0", http.StatusInternalServerError, 1, "no route"},
		"it names no attempt":               {assignments{known: berth(3)}, "worker", "", "0", http.StatusUnprocessableEntity, 0, "metadata.annotations[berth.dev/attempt]"},
		"it names no index":                 {assignments{known: berth(3)}, "worker", "3", "-1", http.StatusUnprocessableEntity, 0, "must be a number from 0"},
		"it names no role":                  {assignments{known: berth(3)}, "", "3", "0", http.StatusUnprocessableEntity, 0, "a gang's pod carries"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			response := (&PodPlacer{Assignments: &test.assignments}).Handle(t.Context(), request(t, test.role, test.attempt, test.index))
			if response.Result.Code != test.code || !strings.Contains(response.Result.Message, test.message) {
				t.Errorf("answer %d %q, want %d with %q", response.Result.Code, response.Result.Message, test.code, test.message)
			}
			if response.Allowed != (test.code == http.StatusOK) {
				t.Errorf("allowed: %v", response.Allowed)
			}
			if test.assignments.reads != test.reads {
				t.Errorf("read live %d times, want %d", test.assignments.reads, test.reads)
			}
		})
	}
}

func TestAFreeRolesPodIsLeftAsItIs(t *testing.T) {
	response := (&PodPlacer{Assignments: &assignments{known: berth(1)}}).Handle(t.Context(), request(t, "logger", "1", "0"))
	if len(response.Patches) > 0 {
		t.Errorf("patched: %v", response.Patches)
	}
}

// BenchmarkPlacement answers 500 creations at once, as the Job controller sends them. It reports in how
// many milliseconds after they were sent 99 of 100 were answered.
func BenchmarkPlacement(b *testing.B) {
	const parallel = 500
	nodes := make([]string, parallel)
	requests := make([]admission.Request, parallel)
	for i := range nodes {
		nodes[i] = fmt.Sprintf("node-%04d", i)
		requests[i] = request(b, "worker", "1", fmt.Sprint(i))
	}
	placer := &PodPlacer{Assignments: &assignments{known: &Berth{Attempt: 1, Pool: "h100", Roles: map[string]RoleRanks{"worker": {Nodes: nodes}}}}}
	var took []time.Duration
	for b.Loop() {
		answers := make(chan time.Duration, parallel)
		start := time.Now()
		for i := range requests {
			go func() {
				if response := placer.Handle(b.Context(), requests[i]); !response.Allowed {
					b.Error(response.Result)
				}
				answers <- time.Since(start)
			}()
		}
		for range parallel {
			took = append(took, <-answers)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
