package simulate

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/internal/engine"
)

// ganttHeight is about how high the chart of all nodes is, rowMost how high one node may be.
const (
	ganttHeight = 900
	rowMost     = 28
)

// gantt draws who was on which node when: a row per node, racks apart, a bar per stay, as high as its share of the node.
func (r *Report) gantt() string {
	rows := r.ganttRows()
	if len(rows) == 0 || len(r.stays) == 0 {
		return ""
	}
	height := min(rowMost, max(3, float64(ganttHeight)/float64(len(rows))))
	end := max(r.Summary.Until, 1)
	x := func(at Offset) float64 {
		return marginLeft + float64(at)/float64(end)*(chartWidth-marginLeft-marginRight)
	}
	tops := map[string]float64{}
	lanes := map[string]*lane{}
	top := float64(marginTop)
	var b, labels strings.Builder
	for i, row := range rows {
		if i > 0 && row.rack != rows[i-1].rack {
			top += 4
		}
		if i == 0 || row.rack != rows[i-1].rack {
			fmt.Fprintf(&labels, `<text class="tick" text-anchor="end" x="%d" y="%.1f">%s</text>`, marginLeft-6, top+9, html.EscapeString(row.rack))
		}
		fmt.Fprintf(&labels, `<rect class="row" x="%d" y="%.1f" width="%d" height="%.1f"><title>%s</title></rect>`, marginLeft, top,
			chartWidth-marginLeft-marginRight, height-0.5, html.EscapeString(row.node.Name))
		tops[row.node.Name], lanes[row.node.Name] = top, newLane(row.node)
		top += height
	}
	teams := r.teamColours()
	for _, s := range r.stays {
		for _, part := range r.parts(s) {
			lane := lanes[part.node]
			if lane == nil || lane.total == 0 {
				continue
			}
			first := lane.take(part.amount, s.From, s.To)
			unit := (height - 0.5) / float64(lane.total)
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" fill-opacity="%s"><title>%s</title></rect>`,
				x(since(s.From)), tops[part.node]+float64(first)*unit, max(0.4, x(since(s.To))-x(since(s.From))), float64(part.amount)*unit,
				colour(teams[s.Gang.Team]), opacity(s.Gang.Tier), html.EscapeString(stayText(s)))
		}
	}
	total := top + marginLow
	var ticks strings.Builder
	timeTicks(&ticks, end, x, top)
	return fmt.Sprintf(`<svg viewBox="0 0 %d %.0f" role="img">%s%s%s</svg>%s`, chartWidth, total, labels.String(), b.String(), ticks.String(),
		r.ganttLegend(teams))
}

// ganttRow is a node with the name of the innermost domain around it.
type ganttRow struct {
	node *machine
	rack string
}

// ganttRows lists the nodes in depth-first order.
func (r *Report) ganttRows() []ganttRow {
	rows := make([]ganttRow, 0, len(r.nodes))
	paths := map[string]string{}
	for _, m := range r.nodes {
		var path []string
		for _, l := range r.pools[m.pool].Levels {
			path = append(path, m.Labels[l.Label])
		}
		paths[m.Name] = m.pool + "/" + strings.Join(path, "/")
		row := ganttRow{node: m, rack: m.pool}
		if len(path) > 0 {
			row.rack = path[len(path)-1]
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b ganttRow) int { return cmp.Compare(paths[a.node.Name], paths[b.node.Name]) })
	return rows
}

// part is what a stay takes of one node, in accelerators; pods that ask for none are shown as one.
type part struct {
	node   string
	amount int64
}

func (r *Report) parts(s Stay) []part {
	var out []part
	at := map[string]int{}
	for _, role := range s.Slot.Roles {
		asked := roleNamed(s.Gang.Roles, role.Role)
		if asked == nil {
			continue
		}
		for _, node := range role.Nodes {
			amount := weigh(asked.Pod.Requests, r.pools[s.Slot.Pool].Accelerators)
			if i, known := at[node]; known {
				out[i].amount += amount
				continue
			}
			at[node] = len(out)
			out = append(out, part{node, amount})
		}
	}
	for i := range out {
		out[i].amount = max(out[i].amount, 1)
	}
	return out
}

// lane finds places side by side for the bars on one node.
type lane struct {
	total int64
	// busy is until when each place is taken.
	busy []engine.Time
}

func newLane(m *machine) *lane {
	n := min(m.accelerators, 64)
	return &lane{total: m.accelerators, busy: make([]engine.Time, n)}
}

// take finds the first free run of places; where bars overlap all the same it is the first.
func (l *lane) take(amount int64, from, to engine.Time) int64 {
	need := min(amount, int64(len(l.busy)))
	for first := int64(0); first+need <= int64(len(l.busy)); first++ {
		if !slices.ContainsFunc(l.busy[first:first+need], func(until engine.Time) bool { return until > from }) {
			for i := range need {
				l.busy[first+i] = to
			}
			return first
		}
	}
	return 0
}

func (r *Report) teamColours() map[string]int {
	teams := map[string]int{}
	for _, s := range r.stays {
		teams[s.Gang.Team] = 0
	}
	for i, name := range sortedKeys(teams) {
		teams[name] = i
	}
	return teams
}

func opacity(t engine.Tier) string {
	return map[engine.Tier]string{engine.Production: "1", engine.Batch: ".7", engine.Interactive: ".4"}[t]
}

func stayText(s Stay) string {
	return fmt.Sprintf("%s, %s of team %s: %s to %s (%s) on %s", s.Gang.ID, s.Gang.Tier, s.Gang.Team, since(s.From), since(s.To),
		shortDuration(time.Duration(s.To-s.From).Round(time.Second)), brief(s.Slot))
}

func (r *Report) ganttLegend(teams map[string]int) string {
	var b strings.Builder
	b.WriteString(`<p class="legend">`)
	for _, name := range sortedKeys(teams) {
		fmt.Fprintf(&b, `<span><i style="background:%s"></i>%s</span>`, colour(teams[name]), html.EscapeString(name))
	}
	b.WriteString("<span>full colour: Production, lighter: Batch, lightest: Interactive; point at a bar to read it</span></p>")
	return b.String()
}
