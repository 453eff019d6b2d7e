// Package defaults fills what the objects of the API leave out. The webhooks, the simulator and the command line use the
// same functions, so that a manifest means the same wherever it is read. Functions change the object they are given and
// nothing else; applied twice they change nothing more.
package defaults
