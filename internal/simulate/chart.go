package simulate

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"
)

// Sizes of charts, in SVG units.
const (
	chartWidth  = 1080
	chartHeight = 220
	marginLeft  = 64
	marginTop   = 12
	marginRight = 16
	marginLow   = 28
)

// palette holds colours that people with any kind of colour vision tell apart.
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#b09c00"}

func colour(i int) string { return palette[i%len(palette)] }

// line is one curve of a chart.
type line struct {
	name   string
	values []float64
}

// chart draws curves over time, as steps: a value holds from its sample to the next.
func chart(times []Offset, unit string, lines []line) string {
	var top float64
	for _, l := range lines {
		for _, v := range l.values {
			top = max(top, v)
		}
	}
	top = ceiling(top)
	end := Offset(1)
	if len(times) > 0 {
		end = max(times[len(times)-1], 1)
	}
	x := func(at Offset) float64 {
		return marginLeft + float64(at)/float64(end)*(chartWidth-marginLeft-marginRight)
	}
	y := func(v float64) float64 { return marginTop + (1-v/top)*(chartHeight-marginTop-marginLow) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img">`, chartWidth, chartHeight)
	for i := range 5 {
		v := top * float64(i) / 4
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%d" y="%.1f">%s%s</text>`,
			marginLeft, chartWidth-marginRight, y(v), y(v), marginLeft-6, y(v)+4, number(round(v)), unit)
	}
	timeTicks(&b, end, x, chartHeight-marginLow)
	for i, l := range lines {
		fmt.Fprintf(&b, `<path class="curve" stroke="%s" d="%s"><title>%s</title></path>`, colour(i), steps(times, l.values, x, y), html.EscapeString(l.name))
	}
	b.WriteString("</svg>")
	if len(lines) > 1 {
		b.WriteString(`<p class="legend">`)
		for i, l := range lines {
			fmt.Fprintf(&b, `<span><i style="background:%s"></i>%s</span>`, colour(i), html.EscapeString(l.name))
		}
		b.WriteString("</p>")
	}
	return b.String()
}

// steps is a path of horizontal and vertical strokes.
func steps(times []Offset, values []float64, x func(Offset) float64, y func(float64) float64) string {
	var b strings.Builder
	for i, v := range values {
		if i == 0 {
			fmt.Fprintf(&b, "M%.1f %.1f", x(times[i]), y(v))
			continue
		}
		fmt.Fprintf(&b, "H%.1f", x(times[i]))
		if v != values[i-1] {
			fmt.Fprintf(&b, "V%.1f", y(v))
		}
	}
	return b.String()
}

// timeTicks draws the axis of time.
func timeTicks(b *strings.Builder, end Offset, x func(Offset) float64, at float64) {
	step := tickStep(time.Duration(end))
	for t := time.Duration(0); t <= time.Duration(end); t += step {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`,
			x(Offset(t)), x(Offset(t)), at, at+4, x(Offset(t)), at+18, Offset(t))
	}
}

// tickStep is a round time of which about eight make up the whole.
func tickStep(whole time.Duration) time.Duration {
	const day = 24 * time.Hour
	for _, step := range []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
		6 * time.Hour, 12 * time.Hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day,
	} {
		if whole/step <= 10 {
			return step
		}
	}
	return whole / 8
}

// ceiling is a round number that is not below v.
func ceiling(v float64) float64 {
	if v <= 0 {
		return 1
	}
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 2, 4, 5, 8, 10} {
		if v <= factor*scale {
			return factor * scale
		}
	}
	return 10 * scale
}
