package play

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Agrees tells whether simulator and cluster say the same.
func (r *Result) Agrees() bool { return len(r.Differences) == 0 }

// Write tells a person what came of the play.
func (r *Result) Write(w io.Writer) error {
	if r.Agrees() {
		_, err := fmt.Fprintf(w, "%s: the cluster did what the simulator says, %d steps of %d gangs\n", r.Name, len(r.Said), len(byGang(r.Said)))
		return err
	}
	fmt.Fprintf(w, "%s: the cluster differs from the simulator\n\n", r.Name)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GANG\tSIMULATOR\tCLUSTER")
	for _, d := range r.Differences {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Gang, d.Said, d.Done)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	late := time.Duration(float64(r.Behind) * r.Speed).Round(time.Minute)
	_, err := fmt.Fprintf(w, "\nThe cluster was up to %s behind, which is %s of the scenario. Where that matters, play it slower than %g times.\n",
		r.Behind.Round(100*time.Millisecond), late, r.Speed)
	return err
}
