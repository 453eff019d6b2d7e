// Package conditions sets status conditions in the one way that all of Berth's objects share: with the generation that was
// looked at, a bounded message, and no write where nothing changed.
package conditions
