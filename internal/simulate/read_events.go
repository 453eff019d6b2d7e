package simulate

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/manifest"
	"github.com/berth-dev/berth/internal/translate"
)

// submitted is a GangJob that an event has submitted, as it stands at the time of the event that is read.
type submitted struct {
	tree  any
	typed *v1alpha1.GangJob
	job   *Job
}

// events reads spec.events in order of time, so that each is held against what is there by then.
func (r *reader) events() {
	r.gangs, r.pods = map[string]*submitted{}, map[string]bool{}
	list := r.scenario.Spec.Events
	for _, i := range ordered(list) {
		path := fmt.Sprintf("spec.events[%d]", i)
		action := r.event(path, &list[i])
		switch {
		case list[i].At == nil:
			r.wrong(path+".at", "missing; say when, such as 0s")
		case list[i].At.Duration < 0:
			r.wrong(path+".at", "got %s, want 0s or more", list[i].At.Duration)
		case r.in.Until > 0 && list[i].At.Duration > r.in.Until:
			r.wrong(path+".at", "got %s, which is after the end of the run at %s", list[i].At.Duration, r.in.Until)
		}
		if action != nil {
			r.in.Events = append(r.in.Events, Event{At: atOf(list[i].At), Action: action})
		}
	}
}

// event reads one event; nil where it cannot be used.
func (r *reader) event(path string, e *eventSpec) action {
	var actions []action
	given := 0
	read := func(is bool, read func() action) {
		if is {
			given++
			if a := read(); a != nil {
				actions = append(actions, a)
			}
		}
	}
	read(e.Submit != nil, func() action { return r.submit(path, e) })
	read(e.Occupy != nil, func() action { return r.occupy(path+".occupy", e.Occupy) })
	read(e.Vacate != nil, func() action { return r.vacate(path+".vacate", e.Vacate) })
	read(e.Fail != nil, func() action { return r.onNode(path+".fail", e.Fail, func(n string) action { return Fail{n} }) })
	read(e.Cordon != nil, func() action { return r.onNode(path+".cordon", e.Cordon, func(n string) action { return Cordon{n} }) })
	read(e.Recover != nil, func() action {
		return r.onNode(path+".recover", e.Recover, func(n string) action { return Recover{n} })
	})
	read(e.Delete != nil, func() action { return r.delete(path+".delete", e.Delete) })
	read(e.Patch != nil, func() action { return r.patch(path+".patch", e.Patch) })
	if given != 1 {
		r.wrong(path, "got %d actions, want exactly one of submit, occupy, vacate, fail, cordon, recover, delete and patch", given)
		return nil
	}
	if e.Submit == nil {
		for _, extra := range []struct {
			field string
			given bool
		}{{"set", e.Set != nil}, {"runs", e.Runs != nil}, {"checkpoints", e.Checkpoints != nil}} {
			if extra.given {
				r.wrong(path+"."+extra.field, "goes with submit only")
			}
		}
	}
	if len(actions) == 0 {
		return nil
	}
	return actions[0]
}

func (r *reader) occupy(path string, o *occupySpec) action {
	if !r.machines[o.Node] {
		r.wrong(path+".node", "there is no node %q", o.Node)
		return nil
	}
	if o.Name == "" {
		r.wrong(path+".name", "missing")
	}
	for _, name := range sortedKeys(o.Requests) {
		if q := o.Requests[name]; q.Sign() < 0 {
			r.wrong(path+".requests["+string(name)+"]", "got %s, want 0 or more", q.String())
		}
	}
	r.pods[o.Name] = true
	requests := translate.Amounts(o.Requests)
	requests["pods"] = 1
	return Occupy{Node: o.Node, Name: o.Name, Requests: requests}
}

func (r *reader) vacate(path string, v *nameSpec) action {
	if !r.pods[v.Name] {
		r.wrong(path+".name", "no pod %q occupies a node by then", v.Name)
	}
	return Vacate{v.Name}
}

func (r *reader) onNode(path string, n *nodeRef, of func(string) action) action {
	if !r.machines[n.Node] {
		r.wrong(path+".node", "there is no node %q", n.Node)
		return nil
	}
	return of(n.Node)
}

func (r *reader) delete(path string, d *deleteSpec) action {
	if r.gangs[d.GangJob] == nil {
		r.wrong(path+".gangJob", "no GangJob %q is submitted by then; write namespace/name", d.GangJob)
	}
	delete(r.gangs, d.GangJob)
	return Delete{ID: d.GangJob}
}

// relate puts the mistakes of a changed manifest at the field that changed it.
func (r *reader) relate(path, what string, mistakes manifest.Mistakes) {
	for _, m := range mistakes {
		r.wrong(path, "%s", strings.TrimSuffix(strings.Join([]string{what, m.Path, m.Message}, ": "), ": "))
	}
}
