package trace

import (
	"fmt"
	"time"
)

// Options say what a trace does not.
type Options struct {
	// Jobs is how many jobs are taken, the first ones; zero: all.
	Jobs int
	// Seed settles what is left to chance: whose a job is, and its tier.
	Seed uint64
	// Load is what the jobs ask for, as a share of what the cluster has from the first to the last submission; zero: times
	// stay as they are.
	Load float64
	// Production and Interactive are the shares of jobs of these tiers; the others are Batch.
	Production, Interactive float64
	// Required is the level of which one domain must hold each job of more than one node; empty: none.
	Required string
	// CheckpointEvery is after how much running time a job saves its work by itself; zero: never. Save is how long it takes to
	// answer a notice.
	CheckpointEvery, Save time.Duration
	// Estimate is how many times its duration a job gives as its maxRuntime; zero: it gives none.
	Estimate float64
}

// Defaults are the options of a trace that is played without any.
func Defaults() Options {
	return Options{
		Seed: 1, Load: 0.9, Production: 0.2, Interactive: 0.1, CheckpointEvery: 30 * time.Minute, Save: 30 * time.Second, Estimate: 2,
	}
}

// Check returns what makes no sense.
func (o Options) Check() error {
	switch {
	case o.Jobs < 0:
		return fmt.Errorf("jobs: got %d, want 0 for all, or more", o.Jobs)
	case o.Load < 0 || o.Load > 100:
		return fmt.Errorf("load: got %g, want 0 to keep the times, or up to 100", o.Load)
	case o.Production < 0 || o.Interactive < 0 || o.Production+o.Interactive > 1:
		return fmt.Errorf("shares of tiers: got %g Production and %g Interactive, want shares from 0 to 1, together at most 1",
			o.Production, o.Interactive)
	case o.CheckpointEvery < 0 || o.Save < 0:
		return fmt.Errorf("checkpoints: got every %s and save %s, want 0s or more", o.CheckpointEvery, o.Save)
	case o.Estimate != 0 && o.Estimate < 1:
		return fmt.Errorf("estimate: got %g, want 0 for none, or 1 and more: jobs run for as long as the trace says", o.Estimate)
	}
	return nil
}
