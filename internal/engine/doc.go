// Package engine decides which gangs start, where, and at whose expense. It is what Berth exists for.
//
// A [State] is told what is (nodes, pools, teams, quotas, gangs, foreign pods) through events, each applied in
// O(log n); [State.Decide] answers what to do now. A decision is data: the caller writes it to the API server, or, in
// a simulation, to its own records, and the state learns of the outcome through the next event. Between a decision and
// the event that confirms it, the state assumes that it took effect; an event about the gang overwrites the
// assumption.
//
// The package is pure. It knows no API type, client, clock or logger, starts no goroutine, and gives the same bytes for
// the same events, whatever the order in which independent objects became known.
//
// The rules it follows are P1 to P12 of the design; each has one file.
package engine
