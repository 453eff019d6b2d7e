package gang

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// env returns the variables of a role's first container; those read from the pod as "<path>".
func env(g *v1alpha1.GangJob, role int, attempt int32) map[string]string {
	out := map[string]string{}
	for _, e := range Job(g, &g.Spec.Roles[role], attempt, Options{}).Spec.Template.Spec.Containers[0].Env {
		out[e.Name] = e.Value
		if e.ValueFrom != nil {
			out[e.Name] = "<" + e.ValueFrom.FieldRef.FieldPath + ">"
		}
	}
	return out
}

func with(f v1alpha1.Framework) func(*v1alpha1.GangJob) {
	return func(g *v1alpha1.GangJob) { g.Spec.Runtime = &v1alpha1.RuntimeSpec{Framework: f} }
}

const (
	byIndex = "<metadata.annotations['batch.kubernetes.io/job-completion-index']>"
	byRank  = "<metadata.annotations['berth.dev/gang-rank']>"
)

func TestFrameworksAreToldWhatTheyReadFromTheEnvironment(t *testing.T) {
	workersOnly := func(g *v1alpha1.GangJob) { g.Spec.Roles = g.Spec.Roles[1:] }
	for name, test := range map[string]struct {
		gang *v1alpha1.GangJob
		role int
		want map[string]string
	}{
		"PyTorch": {training(with(v1alpha1.FrameworkPyTorch), workersOnly), 0, map[string]string{
			"MASTER_ADDR": "llama-worker-2-0.llama", "MASTER_PORT": "29500", "WORLD_SIZE": "4", "RANK": byIndex,
			"PET_NNODES": "4", "PET_NODE_RANK": byIndex, "PET_NPROC_PER_NODE": "8", "LR": "1e-4", "BERTH_ATTEMPT": "2",
		}},
		"PyTorch with a role before": {training(with(v1alpha1.FrameworkPyTorch)), 1, map[string]string{
			"MASTER_ADDR": "llama-launcher-2-0.llama", "WORLD_SIZE": "5", "RANK": byRank,
		}},
		"JAX": {training(with(v1alpha1.FrameworkJAX), workersOnly), 0, map[string]string{
			"JAX_COORDINATOR_ADDRESS": "llama-worker-2-0.llama:1234", "JAX_NUM_PROCESSES": "4", "JAX_PROCESS_ID": byIndex,
		}},
		"MPI": {training(with(v1alpha1.FrameworkMPI)), 0, map[string]string{
			"OMPI_MCA_orte_default_hostfile": "/etc/berth/mpi/hostfile",
		}},
		"none": {training(with(v1alpha1.FrameworkNone)), 1, map[string]string{"BERTH_GANG": "llama", "BERTH_ROLE": "worker", "MASTER_ADDR": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got := env(test.gang, test.role, 2)
			for key, want := range test.want {
				if got[key] != want {
					t.Errorf("%s=%q, want %q", key, got[key], want)
				}
			}
		})
	}
}

func TestTheUsersVariablesWin(t *testing.T) {
	g := training(with(v1alpha1.FrameworkPyTorch))
	c := &worker(g).Template.Spec.Containers[0]
	c.Env = append(c.Env, corev1.EnvVar{Name: "MASTER_PORT", Value: "1"})
	n := 0
	for _, e := range Job(g, worker(g), 1, Options{}).Spec.Template.Spec.Containers[0].Env {
		if e.Name == "MASTER_PORT" {
			n++
			if e.Value != "1" {
				t.Errorf("MASTER_PORT=%s, want the user's 1", e.Value)
			}
		}
	}
	if n != 1 {
		t.Errorf("MASTER_PORT is set %d times", n)
	}
}

func TestAnMPIGangHasAHostFileAndKeys(t *testing.T) {
	g := training(with(v1alpha1.FrameworkMPI))
	g.Spec.Runtime.MPI = &v1alpha1.MPISpec{SSHSecretName: "keys"}
	pod := Job(g, &g.Spec.Roles[0], 1, Options{}).Spec.Template
	hosts := strings.Split(strings.TrimSpace(pod.Annotations[AnnotationHostfile]), "\n")
	if len(hosts) != 4 || hosts[3] != "llama-worker-1-3.llama slots=8" {
		t.Errorf("host file %q", hosts)
	}
	if n := len(pod.Spec.Volumes); n != 2 || pod.Spec.Volumes[1].Secret.SecretName != "keys" {
		t.Errorf("volumes %+v", pod.Spec.Volumes)
	}
	if len(pod.Spec.Containers[0].VolumeMounts) != 2 {
		t.Errorf("mounts %+v", pod.Spec.Containers[0].VolumeMounts)
	}
}

func TestNamesStayShortForEver(t *testing.T) {
	if got := JobName("g", "r", 123456); got != "g-r-3456" {
		t.Errorf("JobName = %s", got)
	}
}
