package v1alpha1

// Framework is what the programs of a gang are built on.
// +kubebuilder:validation:Enum=None;PyTorch;MPI;JAX
type Framework string

// The frameworks.
const (
	// FrameworkNone: no environment is set.
	FrameworkNone Framework = "None"
	// FrameworkPyTorch: the variables that torchrun reads are set.
	FrameworkPyTorch Framework = "PyTorch"
	// FrameworkMPI: a hostfile and SSH keys are mounted.
	FrameworkMPI Framework = "MPI"
	// FrameworkJAX: the coordinator's address and the process's number are set.
	FrameworkJAX Framework = "JAX"
)

// MPISpec says what an MPI gang needs.
type MPISpec struct {
	// sshSecretName is the Secret of type kubernetes.io/ssh-auth, in the gang's namespace, whose key its pods share.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	SSHSecretName string `json:"sshSecretName"`
}

// RuntimeSpec says how the pods of a gang find each other.
// +kubebuilder:validation:XValidation:rule="(has(self.framework) && self.framework == 'MPI') == has(self.mpi)",message="spec.runtime.mpi: framework MPI needs mpi.sshSecretName, the Secret with the SSH key that the pods share; other frameworks have no mpi"
type RuntimeSpec struct {
	// framework sets the environment that the framework reads, and a headless Service. Default None.
	// +kubebuilder:default=None
	// +optional
	Framework Framework `json:"framework,omitempty"`

	// mpi is what framework MPI needs. Required with it, refused with others.
	// +optional
	MPI *MPISpec `json:"mpi,omitempty"`
}
