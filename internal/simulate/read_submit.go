package simulate

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/manifest"
)

// submit reads a submission and makes the GangJob that its gangs share.
func (r *reader) submit(path string, e *eventSpec) action {
	s := e.Submit
	program := r.program(path, e)
	if s.Namespace == "" {
		r.wrong(path+".submit.namespace", "missing")
		return nil
	}
	o := r.template(s.Namespace, s.Template)
	if o == nil {
		r.wrong(path+".submit.template", "there is no GangJob %q, nor a single one of that name in other namespaces than %q",
			s.Template, s.Namespace)
		return nil
	}
	o.used = true
	names := r.names(path+".submit", s)
	tree, typed := r.overridden(path, e, o)
	job := &Job{}
	if typed != nil {
		job.Spec = &typed.Spec
	}
	for _, name := range names {
		id := s.Namespace + "/" + name
		if r.gangs[id] != nil {
			r.wrong(path+".submit.name", "a second GangJob %s; with count above 1 the name needs {i}", id)
			return nil
		}
		r.gangs[id] = &submitted{tree: tree, typed: typed, job: job}
	}
	return Submit{Job: job, Namespace: s.Namespace, Names: names, Program: program}
}

// names expands the names of a submission.
func (r *reader) names(path string, s *submitSpec) []string {
	count := 1
	if s.Count != nil {
		count = *s.Count
	}
	if r.total += count; count < 1 || r.total > maxScenarioGangs {
		r.wrong(path+".count", "got %d, want 1 or more, and at most %d gangs in all", count, maxScenarioGangs)
		r.total -= count
		return nil
	}
	if s.Name == "" {
		r.wrong(path+".name", "missing")
		return nil
	}
	if err := checkNumbering(s.Name); err != nil {
		r.wrong(path+".name", "%s", err)
		return nil
	}
	names := make([]string, count)
	for i := range names {
		names[i] = expand(s.Name, i)
	}
	return names
}

// overridden applies set to a template; the GangJob is nil where that or the template is wrong.
func (r *reader) overridden(path string, e *eventSpec, o *object) (any, *v1alpha1.GangJob) {
	tree := mergePatch(o.tree, map[string]any{
		"metadata": map[string]any{"name": expand(e.Submit.Name, 0), "namespace": e.Submit.Namespace},
	})
	ok := !o.wrong
	for _, key := range sortedKeys(e.Set) {
		changed, err := setPath(tree, key, e.Set[key].Value)
		if err != nil {
			r.wrong(path+".set["+key+"]", "%s", err)
			ok = false
			continue
		}
		tree = changed
		if o.wrong {
			continue
		}
		if _, mistakes := typedOf("GangJob", tree); len(mistakes) > 0 {
			r.relate(path+".set["+key+"]", "the GangJob that this makes", mistakes)
			return tree, nil
		}
	}
	if !ok {
		return tree, nil
	}
	typed, mistakes := typedOf("GangJob", tree)
	if len(mistakes) > 0 {
		r.relate(path+".submit", "the GangJob that this makes", mistakes)
		return tree, nil
	}
	w := r.objects.world(r.limits)
	fill(typed, w)
	if errs := problems(typed, nil, w); len(errs) > 0 {
		r.refusedGang(path, e, o, errs)
		return tree, nil
	}
	return tree, typed.(*v1alpha1.GangJob)
}

// program reads how the program behaves.
func (r *reader) program(path string, e *eventSpec) Program {
	var p Program
	positive := func(path string, d *metav1.Duration) time.Duration {
		if d != nil && d.Duration <= 0 {
			r.wrong(path, "got %s, want a duration above 0s", d.Duration)
		}
		return atOf(d)
	}
	p.Runs = positive(path+".runs", e.Runs)
	if c := e.Checkpoints; c != nil {
		p.Every = positive(path+".checkpoints.every", c.Every)
		p.Saves, p.Save = c.Save != nil, atOf(c.Save)
		if p.Save < 0 {
			r.wrong(path+".checkpoints.save", "got %s, want 0s or more", p.Save)
		}
	}
	return p
}

// patch reads a patch of a manifest, or of a submitted GangJob.
func (r *reader) patch(path string, p *patchSpec) action {
	if _, isMap := p.Merge.Value.(map[string]any); !isMap {
		r.wrong(path+".merge", "missing, or not a map")
		return nil
	}
	if p.Kind == "GangJob" {
		return r.patchGang(path, p)
	}
	o := r.objects[objectKey{p.Kind, p.Namespace, p.Name}]
	if o == nil {
		r.wrong(path+".name", "this file has no %s", objectKey{p.Kind, p.Namespace, p.Name})
		return nil
	}
	tree := mergePatch(o.tree, p.Merge.Value)
	typed, mistakes := typedOf(p.Kind, tree)
	if len(mistakes) > 0 || typed.GetName() != p.Name {
		if len(mistakes) == 0 {
			mistakes = manifest.Mistakes{{Path: "metadata.name", Message: "cannot be changed"}}
		}
		r.relate(path+".merge", "the "+p.Kind+" that this makes", mistakes)
		return nil
	}
	if w := r.objects.world(r.limits); !o.wrong {
		fill(typed, w)
		if errs := problems(typed, o.typed, w); len(errs) > 0 {
			r.refusedPatch(path, p.Kind, errs)
			return nil
		}
	}
	before := o.typed
	o.tree, o.typed = tree, typed
	switch typed := typed.(type) {
	case *v1alpha1.Team:
		return PatchTeam{typed}
	case *v1alpha1.Quota:
		return PatchQuota{typed}
	case *v1alpha1.TopologyDomain:
		return r.patchDomain(path, before.(*v1alpha1.TopologyDomain), typed)
	}
	return nil
}

// refusedPatch tells what the API server would refuse about a change.
func (r *reader) refusedPatch(path, kind string, errs field.ErrorList) {
	for _, err := range errs {
		r.wrong(path+".merge", "the %s that this makes: %s: %s", kind, err.Field, err.ErrorBody())
	}
}

func (r *reader) patchDomain(path string, before, after *v1alpha1.TopologyDomain) action {
	if before.IsPool() != after.IsPool() || before.Spec.Pool != after.Spec.Pool {
		r.wrong(path+".merge", "spec.pool: cannot be changed")
		return nil
	}
	e := PatchDomain{Name: after.Name, Domain: after, Of: after.Spec.Pool}
	if after.IsPool() {
		pool := poolOf(after)
		e.Pool, e.Of = &pool, after.Name
	}
	e.Cordons = r.objects.cordons(e.Of)
	return e
}

func (r *reader) patchGang(path string, p *patchSpec) action {
	id := p.Namespace + "/" + p.Name
	g := r.gangs[id]
	if g == nil {
		r.wrong(path+".name", "no GangJob %q is submitted by then; give its namespace and the name that its event gives it", id)
		return nil
	}
	if g.job.Spec == nil {
		return nil // it is wrong to begin with
	}
	tree := mergePatch(g.tree, p.Merge.Value)
	typed, mistakes := typedOf("GangJob", tree)
	if len(mistakes) > 0 {
		r.relate(path+".merge", "the GangJob that this makes", mistakes)
		return nil
	}
	next, w := typed.(*v1alpha1.GangJob), r.objects.world(r.limits)
	fill(next, w)
	if errs := problems(next, g.typed, w); len(errs) > 0 {
		r.refusedPatch(path, "GangJob", errs)
		return nil
	}
	job := &Job{Spec: &next.Spec}
	r.gangs[id] = &submitted{tree: tree, typed: next, job: job}
	return PatchJob{ID: id, Job: job}
}
