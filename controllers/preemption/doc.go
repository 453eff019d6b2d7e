// Package preemption sees gangs out that were told to leave their berth: it passes the notice on to their pods, stops
// them, waits until every pod is gone or has ended, and puts the gang back into its team's order or, where its time is
// over, ends it.
package preemption
