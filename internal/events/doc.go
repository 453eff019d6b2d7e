// Package events is the vocabulary of the events that Berth records: a constructor a happening, each a value, so that
// what is told about a gang can be read in one file and compared in tests.
package events
