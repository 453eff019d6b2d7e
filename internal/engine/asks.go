package engine

import (
	"strconv"
	"strings"
)

// asksOf returns a text that is equal for gangs that ask for the same placement.
func asksOf(g *Gang) string {
	var b strings.Builder
	for _, f := range []string{g.Pool, g.Required, g.Preferred} {
		b.WriteString(f)
		b.WriteByte('|')
	}
	b.WriteString(strconv.Itoa(int(g.Policy)))
	for i := range g.Roles {
		r := &g.Roles[i]
		b.WriteByte('|')
		b.WriteString(strconv.Itoa(r.floor()))
		for _, grp := range r.Groups {
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(grp.Size))
			b.WriteString(grp.Level)
		}
		b.WriteString(podKey(&r.Pod))
	}
	return b.String()
}

// podKey returns a text that is equal for pods that ask for the same.
func podKey(p *Pod) string {
	var b strings.Builder
	for _, k := range sortedNames(p.Requests) {
		b.WriteString(k)
		b.WriteByte('=')
		b.WriteString(strconv.FormatInt(p.Requests[k], 10))
		b.WriteByte(';')
	}
	for _, t := range p.Selector {
		b.WriteByte('[')
		for _, r := range t {
			b.WriteString(r.Key + " " + string(r.Operator) + " " + strings.Join(r.Values, ",") + ";")
		}
		b.WriteByte(']')
	}
	for _, t := range p.Tolerations {
		b.WriteString("(" + t.Key + " " + t.Operator + " " + t.Value + " " + t.Effect + ")")
	}
	return b.String()
}
