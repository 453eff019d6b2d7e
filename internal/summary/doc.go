// Package summary paces the writing of what sums up many things, such as a team's usage: after any change every object
// is looked at again, and written at most once an interval.
package summary
