// Package ledger changes the status of GangJobs, which is the ledger of who holds which room.
//
// A function is a transition: it takes a GangJob to change in place, and leaves a status in which conditions, phase,
// berth and records agree. Nothing else writes these fields. A gang's life, with the functions that take it on:
//
//	          Reserve, Plan, Promise         Release          Ready
//	Pending ──────────────────────▶ Admitted ───────▶ Admitted ────▶ Running ──Succeed/Fail──▶ Succeeded/Failed
//	   ▲  ▲                              │ Withdraw                    │ Notice
//	   │  └──────────────────────────────┘                             ▼
//	   └────────────────────────PutBack──────────────────────── Preempting
package ledger
