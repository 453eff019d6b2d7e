// Package manifest reads YAML manifests the way the API server would, and tells every mistake with its line.
//
// kubectl converts YAML to JSON and stops at the first mistake, with a path at best. For files that people write by hand
// this package decodes the YAML tree itself into the Go type: unknown and repeated fields, values of the wrong type and
// values that a type refuses are all found in one go. [Document.Line] finds the line of a field path afterwards, so that
// what validation reports can be told by line as well.
//
// Plain scalars mean what they mean to Kubernetes, which reads YAML 1.1: y, yes, on and their opposites are booleans.
package manifest
