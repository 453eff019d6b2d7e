// Package simulate runs the admission engine on a virtual clock over ordinary manifests and a timeline, so that a quota, a
// rack or a policy can be tried before it touches a cluster, and so that behaviour is tested in milliseconds.
//
// [Read] turns a scenario file into an [Input] or into a list of mistakes with their lines; [Run] plays an Input and
// returns a [Report]. What is simulated is everything around the engine: programs that run, save their work, answer a
// notice or do not, nodes that fail, pods that others place. What is decided is the engine's own, through the same calls
// that the manager makes.
//
// A run jumps from one instant at which something can happen to the next. At an instant, first what was bound to happen
// happens (a run ends, an acknowledgement comes, a grace period is over), then the events of the file in their order, then
// the engine decides until nothing changes. Nothing depends on the order of a map or on the machine: the same file gives
// the same report, byte for byte.
package simulate
