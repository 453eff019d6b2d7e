package simulate

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable writes a report for people: the gangs, the sums, and what did not hold.
func (r *Report) WriteTable(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "Scenario %s\n", r.Scenario)
	if r.Description != "" {
		fmt.Fprintf(b, "%s\n", r.Description)
	}
	if len(r.Gangs) > 0 && !r.Brief {
		b.WriteByte('\n')
		r.gangTable(b)
	}
	b.WriteByte('\n')
	r.summaryTable(b)
	if len(r.Failures) > 0 {
		b.WriteString("\nDoes not hold:\n")
		for _, f := range r.Failures {
			fmt.Fprintf(b, "  %s\n", f)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func columns(b *strings.Builder) *tabwriter.Writer { return tabwriter.NewWriter(b, 0, 0, 2, ' ', 0) }

func (r *Report) gangTable(b *strings.Builder) {
	t := columns(b)
	fmt.Fprintln(t, "GANG\tPHASE\tGPUS\tSUBMITTED\tADMITTED\tFINISHED\tWAITED\tPREEMPTIONS\tRESTARTS\tLOST\tLEVEL\tT_COMM\tBEST\tNODES")
	for _, g := range r.Gangs {
		phase := string(g.Phase)
		if g.Reason != "" {
			phase += "/" + g.Reason
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", g.Name, phase, g.Accelerators, g.Submitted,
			optional(g.Admitted), optional(g.Finished), g.Waited, g.Preemptions, g.Restarts, hours(g.LostGPUHours), dash(g.Level),
			nanoseconds(g.Estimate), nanoseconds(g.Best), dash(some(g.Nodes)))
	}
	t.Flush()
}

func (r *Report) summaryTable(b *strings.Builder) {
	s := r.Summary
	t := columns(b)
	fmt.Fprintf(t, "until\t%s\n", s.Until)
	fmt.Fprintf(t, "gangs\t%d submitted, %d succeeded, %d failed, %d waiting\n", s.Submitted, s.Succeeded, s.Failed, s.Waiting)
	fmt.Fprintf(t, "utilization\t%.1f %%\n", 100*s.Utilization)
	fmt.Fprintf(t, "Φ_frag\tmean %.3f, max %.3f\n", s.Fragmentation, s.MaxFragmentation)
	fmt.Fprintf(t, "preemptions\t%s\n", r.evictions())
	fmt.Fprintf(t, "lost work\t%s\n", hours(s.LostGPUHours))
	if s.Communication > 0 {
		fmt.Fprintf(t, "T_comm\t%.3f times the best possible\n", s.Communication)
	}
	t.Flush()
	if len(s.Waits) > 0 {
		b.WriteByte('\n')
		t = columns(b)
		fmt.Fprintln(t, "GPUS\tGANGS\tWAIT P50\tWAIT P95\tMEAN\tTURNAROUND")
		for _, w := range s.Waits {
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", w.size(), w.Gangs, w.P50, w.P95, w.Mean, w.Turnaround)
		}
		t.Flush()
	}
	r.shareTable(b)
}

// shareTable tells the teams' dominant shares over time, at a few of the samples.
func (r *Report) shareTable(b *strings.Builder) {
	const rows = 8
	if len(r.Series) == 0 || len(r.Series[0].Shares) == 0 {
		return
	}
	b.WriteByte('\n')
	t := columns(b)
	teams := sortedKeys(r.Series[0].Shares)
	fmt.Fprintf(t, "SHARE AT\t%s\n", strings.Join(teams, "\t"))
	for i := range rows {
		s := r.Series[i*(len(r.Series)-1)/(rows-1)]
		fmt.Fprint(t, s.At)
		for _, team := range teams {
			fmt.Fprintf(t, "\t%.3f", float64(s.Shares[team])/1000)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

func (r *Report) evictions() string {
	if len(r.Summary.Evictions) == 0 {
		return fmt.Sprint(r.Summary.Preemptions)
	}
	parts := make([]string, len(r.Summary.Evictions))
	for i, e := range r.Summary.Evictions {
		parts[i] = fmt.Sprintf("%d by %s", e.Count, e.Rule)
	}
	return fmt.Sprintf("%d: %s", r.Summary.Preemptions, strings.Join(parts, ", "))
}

func (w Waits) size() string {
	if w.From == w.To {
		return fmt.Sprint(w.To)
	}
	return fmt.Sprintf("%d-%d", w.From, w.To)
}

func optional(o *Offset) string {
	if o == nil {
		return "-"
	}
	return o.String()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func hours(gpuHours float64) string { return number(gpuHours) + " GPU h" }

func nanoseconds(ns int64) string {
	if ns == 0 {
		return "-"
	}
	return time.Duration(ns).Round(time.Microsecond).String()
}

// some names the first few of many nodes.
func some(nodes []string) string {
	const few = 8
	if len(nodes) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(nodes[:few], ","), len(nodes)-few)
	}
	return strings.Join(nodes, ",")
}
