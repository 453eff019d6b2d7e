package children

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func job(conditions ...batchv1.JobCondition) *batchv1.Job {
	return &batchv1.Job{
		Spec:   batchv1.JobSpec{Suspend: new(false), Completions: ptr.To[int32](4)},
		Status: batchv1.JobStatus{Conditions: conditions},
	}
}

func is(kind batchv1.JobConditionType, reason string) batchv1.JobCondition {
	return batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason}
}

var (
	complete = is(batchv1.JobComplete, "")
	failed   = is(batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded)
	failing  = is(batchv1.JobFailureTarget, batchv1.JobReasonBackoffLimitExceeded)
	final    = is(batchv1.JobFailureTarget, batchv1.JobReasonPodFailurePolicy)
)

func TestOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		policy         []string
		worker, server *batchv1.Job
		want           Verdict
		role           string
	}{
		"nothing has happened yet":                      {nil, job(), job(), Going, ""},
		"one of two decisive roles is done":             {nil, job(complete), job(), Going, ""},
		"both are":                                      {nil, job(complete), job(complete), Succeeded, ""},
		"the one that decides is done":                  {[]string{"worker"}, job(complete), job(), Succeeded, ""},
		"the one that does not is done":                 {[]string{"worker"}, job(), job(complete), Going, ""},
		"success goes before another's failure":         {[]string{"worker"}, job(complete), job(failed), Succeeded, ""},
		"a role failed":                                 {nil, job(failed), job(), Failed, "worker"},
		"a role is failing":                             {nil, job(), job(failing), Failed, "server"},
		"one that decides nothing fails the gang still": {[]string{"worker"}, job(), job(failed), Failed, "server"},
		"a failure that is final":                       {nil, job(final), job(), FailedForGood, "worker"},
		"a Job is not there":                            {nil, job(complete), nil, Going, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := &v1alpha1.GangJob{Spec: v1alpha1.GangJobSpec{Roles: []v1alpha1.Role{
				{Name: "worker"}, {Name: "server"}, {Name: "tool", Placement: v1alpha1.PlacementFree},
			}}}
			if test.policy != nil {
				g.Spec.SuccessPolicy = &v1alpha1.SuccessPolicy{Roles: test.policy}
			}
			jobs := map[string]*batchv1.Job{"worker": test.worker, "tool": job()}
			if test.server != nil {
				jobs["server"] = test.server
			}
			if got, role := Outcome(g, jobs); got != test.want || role != test.role {
				t.Errorf("Outcome = %d by %q, want %d by %q", got, role, test.want, test.role)
			}
		})
	}
}

func TestAnAttemptIsStoppedWhenNoPodIsLeft(t *testing.T) {
	suspended := func(change func(*batchv1.Job)) *batchv1.Job {
		j := job(is(batchv1.JobSuspended, ""))
		j.Spec.Suspend = new(true)
		change(j)
		return j
	}
	for name, test := range map[string]struct {
		job  *batchv1.Job
		want bool
	}{
		"it runs":                             {job(), false},
		"it has ended":                        {job(complete), true},
		"suspended, nothing left":             {suspended(func(*batchv1.Job) {}), true},
		"suspended, a pod still active":       {suspended(func(j *batchv1.Job) { j.Status.Active = 1 }), false},
		"suspended, a pod still terminating":  {suspended(func(j *batchv1.Job) { j.Status.Terminating = ptr.To[int32](1) }), false},
		"suspended, not looked at since":      {suspended(func(j *batchv1.Job) { j.Status.Conditions, j.Status.StartTime = nil, &metav1.Time{} }), false},
		"suspended from the start, never run": {suspended(func(j *batchv1.Job) { j.Status.Conditions = nil }), true},
	} {
		if got := Stopped(map[string]*batchv1.Job{"done": job(complete), "it": test.job}); got != test.want {
			t.Errorf("%s: Stopped = %t, want %t", name, got, test.want)
		}
	}
}

func TestProgressCountsReadyAndSucceededPods(t *testing.T) {
	a, b := job(), job()
	a.Status.Ready, a.Status.Succeeded = ptr.To[int32](2), 1
	b.Status.Ready, b.Status.Succeeded = ptr.To[int32](4), 1 // one that has just succeeded may be counted twice
	jobs := map[string]*batchv1.Job{"a": a, "b": b}
	if ready, pods := Progress(jobs); ready != 8 || pods != 8 {
		t.Errorf("Progress = %d of %d, want 8 of 8", ready, pods)
	}
	if done, pods := Done(jobs); done != 2 || pods != 8 {
		t.Errorf("Done = %d of %d, want 2 of 8", done, pods)
	}
}

func TestPodsCanBeThereOnceTheirJobsWereLetGo(t *testing.T) {
	decided, now := time.Unix(1000, 0), time.Unix(9000, 0)
	started := func(at int64) *batchv1.Job {
		j := job()
		j.Status.StartTime = &metav1.Time{Time: time.Unix(at, 0)}
		return j
	}
	for name, test := range map[string]struct {
		jobs map[string]*batchv1.Job
		want time.Time
	}{
		"let go at once":                    {map[string]*batchv1.Job{"a": started(1000), "b": started(1001)}, time.Unix(1001, 0)},
		"let go by a manager that was away": {map[string]*batchv1.Job{"a": started(8000)}, time.Unix(8000, 0)},
		"one not begun":                     {map[string]*batchv1.Job{"a": started(1000), "b": job()}, now},
	} {
		if got := Begun(test.jobs, decided, now); !got.Equal(test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestBlame(t *testing.T) {
	pod := func(phase corev1.PodPhase, reason string, change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Status: corev1.PodStatus{Phase: phase, Reason: reason}}
		if change != nil {
			change(p)
		}
		return p
	}
	exited := func(code int32) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error"},
			}}}
		}
	}
	disrupted := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}}
	}
	for name, test := range map[string]struct {
		pod  *corev1.Pod
		node bool
		text string
	}{
		"a program that exits with an error": {pod(corev1.PodFailed, "", exited(7)), false, "container main exited with 7"},
		"a kubelet that refuses":             {pod(corev1.PodFailed, "UnexpectedAdmissionError", nil), true, "UnexpectedAdmissionError"},
		"a device that is not there":         {pod(corev1.PodFailed, "OutOfnvidia.com/gpu", nil), true, "OutOfnvidia.com/gpu"},
		"an eviction":                        {pod(corev1.PodFailed, "", disrupted), true, "lost"},
		"a pod that is gone":                 {pod(corev1.PodRunning, "", nil), false, "is gone"},
	} {
		node, text := Blame([]*corev1.Pod{pod(corev1.PodSucceeded, "", nil), test.pod})
		if node != test.node || !strings.Contains(text, test.text) {
			t.Errorf("%s: node's fault %t, %q; want %t, with %q", name, node, text, test.node, test.text)
		}
	}
}
