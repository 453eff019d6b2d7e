// Package cli is kubectl berth: one file for each verb.
//
// A verb returns nil, or an error that says with [ExitError] which status the process ends with; any other error is
// printed and ends it with 2.
package cli
