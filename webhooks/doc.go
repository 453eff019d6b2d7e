// Package webhooks serves the admission webhooks: defaults and rules for the four kinds, and the placement of gangs'
// pods.
//
// All replicas of the manager serve them, leader or not. The rules themselves are in internal/defaults and
// internal/validate; here is only where their inputs come from.
//
// +kubebuilder:webhookconfiguration:mutating=true,name=berth
// +kubebuilder:webhookconfiguration:mutating=false,name=berth
package webhooks
