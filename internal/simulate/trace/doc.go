// Package trace turns the job traces of real clusters into runs of the simulator.
//
// A trace says when jobs came, how many GPUs they asked for and how long they ran. What it does not say, whose they were, how
// urgent, how often they saved their work, comes from [Options], and, where chance settles it, from a seed. Jobs of more GPUs
// than a node has become gangs of whole nodes. Submission times are stretched or squeezed evenly until the jobs ask for the
// share of the cluster that the options say, so that any trace fits any cluster.
package trace
