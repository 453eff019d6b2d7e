// Package baseline has deciders that Berth is compared with on the same jobs: gangs in the order in which they came, each as
// a whole, placed without a view of the network.
//
// A gang that does not fit now is passed over until the next decision; nobody is held up, evicted, moved or promised
// anything, and teams, tiers, guarantees, limits, topology levels and groups mean nothing. This is what a queue of gangs in
// front of kube-scheduler does. Where the pods go is the [Policy]'s choice.
package baseline
