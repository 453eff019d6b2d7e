// Package gangjob makes and looks after what a GangJob consists of on the cluster: the Jobs of its current attempt, its
// Service and its PodDisruptionBudget. It releases the Jobs once the gang's reservation stands, says how far the pods
// are, and ends or restarts the gang.
//
// A pass gathers the gang and its Jobs, runs the steps of [Reconciler.steps] in order, and writes the status once.
package gangjob
