// Package translate turns API objects into engine values and back.
//
// It is the one place where a Quantity, a label selector or a pod template is read for the engine, and where a decision
// becomes a status field or a sentence. The functions are pure: they look at nothing but their arguments, and keep no
// reference to an object that its owner may still change, label maps of nodes excepted, which watches never change in
// place.
//
// Quantities become integers: in [engine.Amounts] CPU in thousandths of a core and everything else in its own unit, in
// entitlements and usage everything in thousandths.
package translate
