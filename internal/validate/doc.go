// Package validate holds the rules that objects of the API must keep and that their schema cannot carry, and, since not
// every reader has the schema at hand, those that it does. Functions are pure: what other objects say comes in with
// [World]. Every message names the field, the value and what would be right.
//
// Objects are expected with their defaults (internal/defaults).
package validate
