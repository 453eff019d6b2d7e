package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/internal/simulate"
)

// Comparison holds what became of the same jobs under several policies, each the mean over its runs.
type Comparison struct {
	Jobs     string   `json:"jobs"`
	Policies []Result `json:"policies"`
}

// Result is the mean of the runs of one policy.
type Result struct {
	Policy        string  `json:"policy"`
	Runs          int     `json:"runs"`
	Utilization   float64 `json:"utilization"`
	Fragmentation float64 `json:"fragmentation"`
	Communication float64 `json:"communication"`
	Preemptions   float64 `json:"preemptions"`
	LostGPUHours  float64 `json:"lostGPUHours"`
	Waits         []Class `json:"waits"`
	// Failures are checks that did not hold, of all runs.
	Failures []string `json:"failures,omitempty"`
}

// Class is the waits of jobs of one size, in hours.
type Class struct {
	From      int64   `json:"from"`
	To        int64   `json:"to"`
	Gangs     float64 `json:"gangs"`
	MeanHours float64 `json:"meanHours"`
	P50Hours  float64 `json:"p50Hours"`
	P95Hours  float64 `json:"p95Hours"`
	// TurnaroundHours is the mean time from submission to success.
	TurnaroundHours float64 `json:"turnaroundHours"`
	Communication   float64 `json:"communication,omitempty"`
}

// Mean returns the mean of the reports of one policy's runs over the same jobs.
func Mean(policy string, reports []*simulate.Report) Result {
	out := Result{Policy: policy, Runs: len(reports)}
	n := float64(len(reports))
	for k, r := range reports {
		s := r.Summary
		out.Utilization += s.Utilization / n
		out.Fragmentation += s.Fragmentation / n
		out.Communication += s.Communication / n
		out.Preemptions += float64(s.Preemptions) / n
		out.LostGPUHours += s.LostGPUHours / n
		for i, w := range s.Waits {
			if k == 0 {
				out.Waits = append(out.Waits, Class{From: w.From, To: w.To})
			}
			if i >= len(out.Waits) {
				break
			}
			c := &out.Waits[i]
			c.Gangs += float64(w.Gangs) / n
			c.MeanHours += inHours(w.Mean) / n
			c.P50Hours += inHours(w.P50) / n
			c.P95Hours += inHours(w.P95) / n
			c.TurnaroundHours += inHours(w.Turnaround) / n
			c.Communication += w.Communication / n
		}
		for _, f := range r.Failures {
			out.Failures = append(out.Failures, f.String())
		}
	}
	return out
}

func inHours(o simulate.Offset) float64 { return time.Duration(o).Hours() }

// Holds reports whether every check of every run held.
func (c *Comparison) Holds() bool {
	for _, r := range c.Policies {
		if len(r.Failures) > 0 {
			return false
		}
	}
	return true
}

// Write writes a comparison as table, json or yaml.
func (c *Comparison) Write(w io.Writer, format string) error {
	switch format {
	case "table":
		_, err := io.WriteString(w, c.table())
		return err
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(c)
	case "yaml":
		data, err := yaml.Marshal(c)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	default:
		return fmt.Errorf("a comparison is written as table, json or yaml, not as %s; play one policy for that", format)
	}
}

func (c *Comparison) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", c.Jobs)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "POLICY\tRUNS\tUTILIZATION\tΦ_FRAG\tT_COMM/BEST\tPREEMPTIONS\tLOST GPU HOURS")
	for _, r := range c.Policies {
		fmt.Fprintf(t, "%s\t%d\t%.1f %%\t%.3f\t%.3f\t%.1f\t%.1f\n", r.Policy, r.Runs, 100*r.Utilization, r.Fragmentation, r.Communication,
			r.Preemptions, r.LostGPUHours)
	}
	t.Flush()
	b.WriteByte('\n')
	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "GPUS\tGANGS\tPOLICY\tWAIT MEAN\tP50\tP95\tTURNAROUND\tT_COMM/BEST")
	if len(c.Policies) > 0 {
		for i, class := range c.Policies[0].Waits {
			for _, r := range c.Policies {
				if i < len(r.Waits) {
					w := r.Waits[i]
					fmt.Fprintf(t, "%d-%d\t%.0f\t%s\t%.2f h\t%.2f h\t%.2f h\t%.2f h\t%.3f\n", class.From, class.To, class.Gangs, r.Policy, w.MeanHours,
						w.P50Hours, w.P95Hours, w.TurnaroundHours, w.Communication)
				}
			}
		}
	}
	t.Flush()
	for _, r := range c.Policies {
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "\ndoes not hold under %s: %s", r.Policy, f)
		}
	}
	return b.String()
}
