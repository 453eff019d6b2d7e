package simulate

import (
	"fmt"
	"html"
	"io"
	"strings"
)

const pageHead = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%[1]s</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;color:#1b1b1b;background:#fff;max-width:1120px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:2rem 0 .3rem}p{margin:.3rem 0}
table{border-collapse:collapse;margin:.5rem 0}th,td{text-align:right;padding:.2rem .8rem;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}svg{width:100%%;height:auto;display:block}
.grid{stroke:#ddd;stroke-width:1}.tick{font-size:11px;fill:#555}.curve{fill:none;stroke-width:1.6}.row{fill:#f3f3f3}
.legend span{margin-right:1.2rem}.legend i{display:inline-block;width:.8rem;height:.8rem;margin-right:.35rem;vertical-align:-1px}
.note{color:#555}.bad{color:#a00000}
</style></head><body>
<h1>%[1]s</h1><p>%[2]s</p>
`

// WriteHTML writes a report as one page that needs nothing else.
func (r *Report) WriteHTML(w io.Writer) error {
	var b strings.Builder
	title := r.Scenario
	if r.Policy != "" {
		title += " under " + r.Policy
	}
	fmt.Fprintf(&b, pageHead, html.EscapeString(title), html.EscapeString(r.Description))
	r.failuresHTML(&b)
	r.summaryHTML(&b)
	r.curvesHTML(&b)
	if chart := r.gantt(); chart != "" {
		section(&b, "Who was where", "A row for each node, racks apart, time from left to right. A bar is one stay of a gang, as high as the part of the node it held.")
		b.WriteString(chart)
	}
	b.WriteString("</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func section(b *strings.Builder, title, note string) {
	fmt.Fprintf(b, `<h2>%s</h2><p class="note">%s</p>`, title, note)
}

func (r *Report) failuresHTML(b *strings.Builder) {
	if len(r.Failures) == 0 {
		return
	}
	b.WriteString(`<h2 class="bad">Does not hold</h2><ul class="bad">`)
	for _, f := range r.Failures {
		fmt.Fprintf(b, "<li>%s</li>", html.EscapeString(f.String()))
	}
	b.WriteString("</ul>")
}

func (r *Report) summaryHTML(b *strings.Builder) {
	s := r.Summary
	section(b, "In numbers", "")
	b.WriteString("<table>")
	row := func(name, value string) {
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td></tr>", name, html.EscapeString(value))
	}
	row("Gangs", fmt.Sprintf("%d submitted, %d succeeded, %d failed, %d waiting at the end", s.Submitted, s.Succeeded, s.Failed, s.Waiting))
	row("Accelerators in use", fmt.Sprintf("%.1f %%", 100*s.Utilization))
	row("Idle accelerators stranded on broken nodes (Φ_frag)", fmt.Sprintf("mean %.3f, at most %.3f", s.Fragmentation, s.MaxFragmentation))
	if s.Communication > 0 {
		row("Communication time (T_comm)", fmt.Sprintf("%.3f times the best possible", s.Communication))
	}
	row("Preemptions", r.evictions())
	row("Work lost", hours(s.LostGPUHours))
	b.WriteString("</table>")
	section(b, "How long gangs waited", "From submission to the first start, by accelerators asked for; gangs that never started count with the time they have waited.")
	b.WriteString("<table><tr><th>Accelerators</th><th>Gangs</th><th>Half within</th><th>95 % within</th><th>Mean</th><th>Mean to success</th><th>T_comm / best</th></tr>")
	for _, w := range s.Waits {
		ratio := "-"
		if w.Communication > 0 {
			ratio = fmt.Sprintf("%.3f", w.Communication)
		}
		fmt.Fprintf(b, "<tr><td>%s</td><td>%d</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>", w.size(), w.Gangs, w.P50, w.P95, w.Mean, w.Turnaround, ratio)
	}
	b.WriteString("</table>")
}

func (r *Report) curvesHTML(b *strings.Builder) {
	if len(r.Series) == 0 {
		return
	}
	times := make([]Offset, len(r.Series))
	column := func(value func(Sample) float64) []float64 {
		out := make([]float64, len(r.Series))
		for i, s := range r.Series {
			out[i] = value(s)
		}
		return out
	}
	for i, s := range r.Series {
		times[i] = s.At
	}
	section(b, "Accelerators in use", "Share of the accelerators of all nodes that are Ready.")
	b.WriteString(chart(times, " %", []line{{"in use", column(func(s Sample) float64 { return 100 * s.Utilization })}}))
	section(b, "Queue", "Gangs that wait, and gangs that run.")
	b.WriteString(chart(times, "", []line{
		{"waiting", column(func(s Sample) float64 { return float64(s.Pending) })},
		{"running", column(func(s Sample) float64 { return float64(s.Running) })},
	}))
	section(b, "Fragmentation (Φ_frag)", "Share of the idle accelerators that sit on nodes that are not wholly free.")
	b.WriteString(chart(times, "", []line{{"Φ_frag", column(func(s Sample) float64 { return s.Fragmentation })}}))
	var lines []line
	for _, team := range sortedKeys(r.Series[0].Shares) {
		lines = append(lines, line{team, column(func(s Sample) float64 { return float64(s.Shares[team]) / 10 })})
	}
	if len(lines) > 0 {
		section(b, "Dominant shares", "What each team uses above its guarantee, of the pool, divided by its weight.")
		b.WriteString(chart(times, " %", lines))
	}
}
