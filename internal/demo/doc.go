// Package demo shows in about a minute what Berth does: on a simulated cluster of 64 nodes of 8 H100 three teams submit
// gangs, which wait whole, start whole, make way and return. Everything is decided by a real manager, run as a process
// with its own rights, and carried out by a real API server, scheduler and Job controller; only the kubelets are
// simulated.
//
// [Run] plays the script (story.go). What is seen on the way is read from the API (watch.go) into a [world], drawn as
// lines (board.go), and shown in place on a terminal or, in a pipe, as they change (screen.go).
package demo
