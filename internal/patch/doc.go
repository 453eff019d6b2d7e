// Package patch writes the status of GangJobs so that no two writers undo each other: every write names the version that
// it was decided on, is refused if there is a newer one, and its answer goes to the cache before anything else is decided.
package patch
