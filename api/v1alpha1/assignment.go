package v1alpha1

// Assignment says which nodes a berth has. internal/assignment packs and unpacks it.
type Assignment struct {
	// pool is the pool of the slot.
	// +kubebuilder:validation:MaxLength=63
	Pool string `json:"pool"`

	// level is the lowest level of which one domain holds the slot: one of the pool's, node or pool.
	// +kubebuilder:validation:MaxLength=31
	// +optional
	Level string `json:"level,omitempty"`

	// domain is that domain's path with slashes, such as s3/r12. Empty: the pool.
	// +kubebuilder:validation:MaxLength=900
	// +optional
	Domain string `json:"domain,omitempty"`

	// roles are the nodes of each Slot role, in the roles' order.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Roles []RoleAssignment `json:"roles"`
}

// RoleAssignment says which nodes the pods of a role are on, in the order of their ranks.
type RoleAssignment struct {
	// name is the name of the role.
	// +kubebuilder:validation:MaxLength=15
	Name string `json:"name"`

	// nodes are runs of nodes, in the order of the ranks.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16384
	// +optional
	Nodes []NodeRun `json:"nodes,omitempty"`
}

// NodeRun is a run of nodes whose names begin and end alike.
type NodeRun struct {
	// prefix is what the names begin with.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	Prefix string `json:"prefix,omitempty"`

	// suffixes are what follows, one for each node.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16384
	// +kubebuilder:validation:items:MaxLength=253
	Suffixes []string `json:"suffixes"`

	// ending is what the names end with.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	Ending string `json:"ending,omitempty"`

	// counts are the numbers of pods on the nodes: one for each, or a single one for all. Absent: one pod each.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16384
	// +optional
	Counts []int32 `json:"counts,omitempty"`
}
