package webhooks_test

import (
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// wantForbidden wants that a policy refused, for a reason that it tells.
func wantForbidden(t *testing.T, err error, message string) {
	t.Helper()
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), message) {
		t.Errorf("answer %v, want a policy's refusal with %q", err, message)
	}
}

func TestNobodyMakesPodsOfAGang(t *testing.T) {
	ns := namespace(t)
	const containers = "spec: {containers: [{name: main, image: x}]}}"
	tests := map[string]string{
		"by one of Berth's labels": `{metadata: {name: a, namespace: ` + ns + `, labels: {berth.dev/gang: g}}, `,
		"by Berth's annotations":   `{metadata: {name: a, namespace: ` + ns + `, annotations: {berth.dev/attempt: "1"}}, `,
		"by the Job's own label":   `{metadata: {name: a, namespace: ` + ns + `, labels: {batch.kubernetes.io/controller-uid: u}}, `,
		"by a Job as owner":        `{metadata: {name: a, namespace: ` + ns + `, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]}, `,
	}
	for name, manifest := range tests {
		t.Run(name, func(t *testing.T) {
			wantForbidden(t, admin.Create(t.Context(), object[corev1.Pod](t, manifest+containers)), "create a GangJob")
		})
	}
}

func TestAPodThatLooksLikeARankWithASlotIsRefusedAllTheSame(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "forged", "")
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	reserve(t, g, v1alpha1.BerthReserved, 1, "n0", "n1")
	pod := object[corev1.Pod](t, `{metadata: {name: a, namespace: `+ns+`, labels: {berth.dev/gang-uid: `+string(g.UID)+`, berth.dev/gang: forged,
		berth.dev/role: worker}, annotations: {berth.dev/attempt: "1", batch.kubernetes.io/job-completion-index: "0"}},
		spec: {containers: [{name: main, image: x}]}}`)
	wantForbidden(t, admin.Create(t.Context(), pod), "create a GangJob")
}

func TestNobodyMakesAPodOneOfAJobsLater(t *testing.T) {
	ns := namespace(t)
	pod := object[corev1.Pod](t, `{metadata: {name: a, namespace: `+ns+`}, spec: {containers: [{name: main, image: x}]}}`)
	if err := admin.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	patch := func(body string) error {
		return admin.Patch(t.Context(), pod.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(body)))
	}
	wantForbidden(t, patch(`{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"u"}}}`), "only the Job controller")
	wantForbidden(t, patch(`{"metadata":{"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"u"}]}}`), "only the Job controller")
	wantForbidden(t, patch(`{"metadata":{"labels":{"berth.dev/gang":"g"}}}`), "by Berth's manager alone")
	if err := patch(`{"metadata":{"labels":{"app":"x"}}}`); err != nil {
		t.Errorf("a label of its own is refused: %v", err)
	}
}

func TestNobodyTakesAGangsJobIntoHisOwnHands(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "held", "")
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	reserve(t, g, v1alpha1.BerthReserved, 1, "n0", "n2")
	job := release(t, g, 1)
	tests := map[string]struct{ patch, want string }{
		"by suspending it":            {`{"spec":{"suspend":true}}`, "set spec.suspend of GangJob held instead"},
		"by another number of pods":   {`{"spec":{"parallelism":1}}`, "change spec.roles of GangJob held instead"},
		"by another attempt":          {`{"metadata":{"labels":{"berth.dev/attempt":"7"}}}`, "by Berth's manager alone"},
		"by taking its labels off":    {`{"metadata":{"labels":{"berth.dev/gang-uid":null}}}`, "by Berth's manager alone"},
		"by annotating it as Berth's": {`{"metadata":{"annotations":{"berth.dev/domain":"r9"}}}`, "by Berth's manager alone"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantForbidden(t, admin.Patch(t.Context(), job.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(test.patch))), test.want)
		})
	}
	foreign := &batchv1.Job{}
	foreign.Namespace, foreign.Name, foreign.Spec = ns, "foreign", batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "main", Image: "x"}},
	}}}
	foreign.Labels = map[string]string{v1alpha1.LabelGangUID: string(g.UID)}
	wantForbidden(t, admin.Create(t.Context(), foreign), "by Berth's manager alone")
	foreign.Labels = nil
	if err := admin.Create(t.Context(), foreign); err != nil {
		t.Errorf("a Job that is none of Berth's is refused: %v", err)
	}
}

func TestTheManagerChangesNothingOfAPodButMetadata(t *testing.T) {
	ns := namespace(t)
	pod := object[corev1.Pod](t, `{metadata: {name: a, namespace: `+ns+`}, spec: {containers: [{name: main, image: x}]}}`)
	if err := admin.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	patch := func(body string) error {
		return manager.Patch(t.Context(), pod.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(body)))
	}
	wantForbidden(t, patch(`{"spec":{"activeDeadlineSeconds":1}}`), "nothing of a pod but its metadata")
	if err := patch(`{"metadata":{"annotations":{"berth.dev/preemption-deadline":"2026-01-01T00:00:00Z"}}}`); err != nil {
		t.Errorf("telling a pod its deadline is refused: %v", err)
	}
}

func TestTheLedgerIsTheManagersAlone(t *testing.T) {
	ns := namespace(t)
	g := gang(t, ns, "a", "")
	if err := admin.Create(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	before := g.DeepCopy()
	g.Status.Phase = v1alpha1.PhaseRunning
	wantForbidden(t, admin.Status().Patch(t.Context(), g, client.MergeFrom(before)), "written by Berth's manager alone")
	domain := object[v1alpha1.TopologyDomain](t, `{metadata: {name: forged}, spec: {pool: h100, level: rack, path: [r1]}}`)
	wantForbidden(t, admin.Create(t.Context(), domain), "written by Berth's manager")
}

func TestGuardedPoolsAreForGangs(t *testing.T) {
	ns := namespace(t)
	tests := map[string]struct {
		spec    string
		refused bool
	}{
		"a GPU that tolerates the pool":       {`tolerations: [{key: berth.dev/pool, operator: Exists}], containers: [{name: m, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]`, true},
		"a GPU that tolerates everything":     {`tolerations: [{operator: Exists}], containers: [{name: m, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]`, true},
		"a slice that tolerates everything":   {`tolerations: [{operator: Exists}], containers: [{name: m, image: x, resources: {limits: {nvidia.com/mig-1g.10gb: "1"}}}]`, true},
		"a GPU that chooses its node":         {`nodeName: n0, containers: [{name: m, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]`, true},
		"a GPU elsewhere":                     {`containers: [{name: m, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]`, false},
		"an agent that tolerates everything":  {`tolerations: [{operator: Exists}], containers: [{name: m, image: x}]`, false},
		"a GPU that tolerates something else": {`tolerations: [{key: other, operator: Exists}], containers: [{name: m, image: x, resources: {limits: {nvidia.com/gpu: "1"}}}]`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			pod := object[corev1.Pod](t, `{metadata: {generateName: p-, namespace: `+ns+`}, spec: {`+test.spec+`}}`)
			err := admin.Create(t.Context(), pod)
			if test.refused {
				wantForbidden(t, err, "given to gangs alone")
			} else if err != nil {
				t.Errorf("refused: %v", err)
			}
		})
	}
}
