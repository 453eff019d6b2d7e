// Package gang makes the objects that a GangJob consists of on the cluster: for every attempt an Indexed Job a role and,
// where it is served, a PodGroup; for the gang's whole life a headless Service and a PodDisruptionBudget.
//
// The functions are pure: the same GangJob and attempt give the same objects. Jobs are made suspended and released once,
// by [Release]; none is ever resumed, since resuming an Indexed Job brings back only the ranks that had not exited 0.
package gang
