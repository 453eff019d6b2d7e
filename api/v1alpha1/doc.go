// Package v1alpha1 holds the API of Berth: Team (who), Quota (how much), TopologyDomain (where) and GangJob (what).
//
// The types say only what is asked for and what was found. Defaults that need more than the object itself are set by
// internal/defaults, and rules that the schema cannot carry are kept by internal/validate.
//
// +kubebuilder:object:generate=true
// +groupName=berth.dev
package v1alpha1
