package gang

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// What frameworks expect where they are told nothing else.
const (
	torchPort    = "29500"
	jaxPort      = "1234"
	indexPath    = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
	hostfilePath = "/etc/berth/mpi"
	sshPath      = "/root/.ssh"
)

// setRuntime tells the containers of a role what the gang's framework needs to know: who they are, how many there are,
// and where the first is. What the user has set is left alone.
func setRuntime(t *corev1.PodTemplateSpec, g *v1alpha1.GangJob, role *v1alpha1.Role, attempt int32) {
	env := []corev1.EnvVar{
		{Name: "BERTH_GANG", Value: g.Name},
		{Name: "BERTH_ROLE", Value: role.Name},
		{Name: "BERTH_ATTEMPT", Value: strconv.Itoa(int(attempt))},
	}
	if g.Spec.Runtime != nil {
		switch g.Spec.Runtime.Framework {
		case v1alpha1.FrameworkPyTorch:
			env = append(env, torchEnv(g, role, attempt)...)
		case v1alpha1.FrameworkJAX:
			env = append(env, jaxEnv(g, role, attempt)...)
		case v1alpha1.FrameworkMPI:
			env = append(env, mpiEnv()...)
			mountMPI(t, g, attempt)
		case v1alpha1.FrameworkNone:
		}
	}
	for i := range t.Spec.Containers {
		addEnv(&t.Spec.Containers[i], env)
	}
	for i := range t.Spec.InitContainers {
		addEnv(&t.Spec.InitContainers[i], env)
	}
}

// addEnv appends the variables that a container does not have yet. They come first, so that the user's may refer to them.
func addEnv(c *corev1.Container, env []corev1.EnvVar) {
	known := map[string]bool{}
	for _, e := range c.Env {
		known[e.Name] = true
	}
	var add []corev1.EnvVar
	for _, e := range env {
		if !known[e.Name] {
			add = append(add, e)
		}
	}
	c.Env = append(add, c.Env...)
}

// rank is the variable that tells a pod its number among all ranks of the gang. For the first role of ranks this is
// its index in the Job; the others' the pod webhook writes down.
func rank(name string, g *v1alpha1.GangJob, role *v1alpha1.Role) corev1.EnvVar {
	path := indexPath
	if ranks := ranked(g); len(ranks) > 0 && ranks[0].Name != role.Name {
		path = "metadata.annotations['" + AnnotationGangRank + "']"
	}
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{
		APIVersion: "v1", FieldPath: path,
	}}}
}

// ranked are the roles whose pods are ranks: those in the slot.
func ranked(g *v1alpha1.GangJob) []*v1alpha1.Role {
	var out []*v1alpha1.Role
	for i := range g.Spec.Roles {
		if r := &g.Spec.Roles[i]; r.InSlot() {
			out = append(out, r)
		}
	}
	return out
}

// world is how many ranks there are and the host name of the first.
func world(g *v1alpha1.GangJob, attempt int32) (size string, first string) {
	var n int32
	ranks := ranked(g)
	for _, r := range ranks {
		n += r.Replicas
	}
	if len(ranks) == 0 {
		return "0", ""
	}
	return strconv.Itoa(int(n)), HostName(g.Name, ranks[0].Name, attempt, 0)
}

func torchEnv(g *v1alpha1.GangJob, role *v1alpha1.Role, attempt int32) []corev1.EnvVar {
	if !role.InSlot() {
		return nil
	}
	size, first := world(g, attempt)
	env := []corev1.EnvVar{
		{Name: "MASTER_ADDR", Value: first},
		{Name: "MASTER_PORT", Value: torchPort},
		{Name: "WORLD_SIZE", Value: size},
		rank("RANK", g, role),
		{Name: "PET_MASTER_ADDR", Value: first},
		{Name: "PET_MASTER_PORT", Value: torchPort},
		{Name: "PET_NNODES", Value: size},
		rank("PET_NODE_RANK", g, role),
	}
	if n := devices(&role.Template.Spec); n > 0 {
		env = append(env, corev1.EnvVar{Name: "PET_NPROC_PER_NODE", Value: strconv.FormatInt(n, 10)})
	}
	return env
}

func jaxEnv(g *v1alpha1.GangJob, role *v1alpha1.Role, attempt int32) []corev1.EnvVar {
	if !role.InSlot() {
		return nil
	}
	size, first := world(g, attempt)
	return []corev1.EnvVar{
		{Name: "JAX_COORDINATOR_ADDRESS", Value: first + ":" + jaxPort},
		{Name: "JAX_NUM_PROCESSES", Value: size},
		rank("JAX_PROCESS_ID", g, role),
	}
}

// mpiEnv names the host file to the implementations in use: Open MPI, Intel MPI and MPICH.
func mpiEnv() []corev1.EnvVar {
	file := hostfilePath + "/hostfile"
	return []corev1.EnvVar{
		{Name: "OMPI_MCA_orte_default_hostfile", Value: file},
		{Name: "PRTE_MCA_prte_default_hostfile", Value: file},
		{Name: "I_MPI_HYDRA_HOST_FILE", Value: file},
		{Name: "HYDRA_HOST_FILE", Value: file},
		{Name: "OMPI_MCA_orte_keep_fqdn_hostnames", Value: "true"},
	}
}

// mountMPI gives every container the host file, carried by an annotation, and the keys with which the launcher enters
// the other pods.
func mountMPI(t *corev1.PodTemplateSpec, g *v1alpha1.GangJob, attempt int32) {
	t.Annotations[AnnotationHostfile] = hostfile(g, attempt)
	t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: "berth-mpi", VolumeSource: corev1.VolumeSource{
		DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: []corev1.DownwardAPIVolumeFile{{
			Path: "hostfile", FieldRef: &corev1.ObjectFieldSelector{
				APIVersion: "v1", FieldPath: "metadata.annotations['" + AnnotationHostfile + "']",
			},
		}}},
	}})
	mounts := []corev1.VolumeMount{{Name: "berth-mpi", MountPath: hostfilePath, ReadOnly: true}}
	if mpi := g.Spec.Runtime.MPI; mpi != nil && mpi.SSHSecretName != "" {
		t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: "berth-ssh", VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: mpi.SSHSecretName, DefaultMode: ptr.To[int32](0o600)},
		}})
		mounts = append(mounts, corev1.VolumeMount{Name: "berth-ssh", MountPath: sshPath, ReadOnly: true})
	}
	for i := range t.Spec.Containers {
		t.Spec.Containers[i].VolumeMounts = append(t.Spec.Containers[i].VolumeMounts, mounts...)
	}
}

// hostfile lists the pods that hold accelerators, in the order of their ranks, with so many slots.
func hostfile(g *v1alpha1.GangJob, attempt int32) string {
	var b strings.Builder
	for _, r := range ranked(g) {
		n := devices(&r.Template.Spec)
		for i := range r.Replicas {
			if n > 0 {
				fmt.Fprintf(&b, "%s slots=%d\n", HostName(g.Name, r.Name, attempt, i), n)
			}
		}
	}
	return b.String()
}

// devices is how many extended resources a pod asks for, such as GPUs: one process each.
func devices(spec *corev1.PodSpec) int64 {
	var n int64
	for _, c := range spec.Containers {
		for name, q := range c.Resources.Limits {
			if strings.Contains(string(name), "/") && !strings.HasPrefix(string(name), "rdma/") {
				n += q.Value()
			}
		}
	}
	return n
}
