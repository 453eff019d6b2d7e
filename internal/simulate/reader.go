package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/manifest"
)

// Bounds on what a file may ask for, far above what people write: a slip must not fill the memory.
const (
	maxScenarioNodes = 100_000
	maxScenarioGangs = 200_000
)

// Read reads a scenario file. It returns either an input or everything that is wrong with the file.
func Read(data []byte) (*Input, manifest.Mistakes) {
	r := newReader()
	if r.read(data); len(r.mistakes) > 0 {
		return nil, r.mistakes.Sort()
	}
	return r.in, nil
}

// ReadCluster reads a scenario file of which only the cluster is wanted: nodes, pools, teams and quotas. It has no events and
// expects nothing. The first GangJob of the file is returned as well, nil if there is none: the template of gangs to come.
func ReadCluster(data []byte) (*Input, *v1alpha1.GangJob, manifest.Mistakes) {
	r := newReader()
	r.cluster = true
	if r.read(data); len(r.mistakes) > 0 {
		return nil, nil, r.mistakes.Sort()
	}
	for _, o := range r.objects.inOrder() {
		if job, ok := o.typed.(*v1alpha1.GangJob); ok {
			return r.in, job, nil
		}
	}
	return r.in, nil, nil
}

func newReader() *reader {
	return &reader{objects: objects{}, in: &Input{Cordons: map[string][][]string{}}}
}

// read reads all documents and puts them together.
func (r *reader) read(data []byte) {
	documents, mistakes := manifest.Split(data)
	r.mistakes = mistakes
	for _, doc := range documents {
		r.document(doc)
	}
	switch {
	case r.scenario == nil && len(r.mistakes) == 0:
		r.mistakes = append(r.mistakes, manifest.Mistake{
			Line: 1, Message: fmt.Sprintf("no document of kind %s and apiVersion %s", Kind, APIVersion),
		})
	case r.scenario != nil:
		r.setUp()
		r.nodes()
		r.events()
		r.validateUnused()
		r.expectations()
	}
}

// reader collects what a file holds and what is wrong with it.
type reader struct {
	mistakes manifest.Mistakes
	objects  objects
	// cluster is true when events and expectations do not belong there.
	cluster bool
	// scenario is the Scenario document, doc where it stands.
	scenario *document
	doc      manifest.Document
	in       *Input
	limits   config.Limits
	// machines are the names of the nodes, gangs the submitted GangJobs by ID as the events go on, pods the names of foreign
	// pods.
	machines map[string]bool
	gangs    map[string]*submitted
	total    int
	pods     map[string]bool
}

// wrong notes a mistake at a field of the Scenario.
func (r *reader) wrong(path, format string, args ...any) { r.wrongIn(r.doc, path, format, args...) }

func (r *reader) wrongIn(doc manifest.Document, path, format string, args ...any) {
	r.mistakes = append(r.mistakes, manifest.Mistake{Line: doc.Line(path), Path: path, Message: fmt.Sprintf(format, args...)})
}

// refused notes what is refused about fields of the Scenario.
func (r *reader) refused(errs field.ErrorList) {
	for _, err := range errs {
		r.wrong(err.Field, "%s", err.ErrorBody())
	}
}

// document reads one document, whatever it is.
func (r *reader) document(doc manifest.Document) {
	switch {
	case doc.APIVersion == APIVersion && doc.Kind == Kind:
		if r.scenario != nil {
			r.wrongIn(doc, "kind", "a second Scenario; a file holds one")
			return
		}
		r.scenario, r.doc = &document{}, doc
		r.mistakes = append(r.mistakes, doc.Decode(r.scenario)...)
	case doc.APIVersion == v1alpha1.GroupVersion.String():
		r.object(doc)
	default:
		r.wrongIn(doc, "kind", "got apiVersion %q and kind %q, want a Team, Quota, TopologyDomain or GangJob of %s, or a %s of %s",
			doc.APIVersion, doc.Kind, v1alpha1.GroupVersion, Kind, APIVersion)
	}
}

// setUp reads what the Scenario says of the whole run.
func (r *reader) setUp() {
	s := &r.scenario.Spec
	r.in.Name, r.in.Description = r.scenario.Metadata.Name, s.Description
	s.Config.Policy.Default()
	s.Config.Limits.Default()
	r.limits = s.Config.Limits
	if errs := s.Config.Validate(field.NewPath("spec", "config")); len(errs) > 0 {
		r.refused(errs)
	} else {
		r.in.Config, r.in.Settings = s.Config.Engine(), s.Config.Policy
	}
	switch {
	case r.cluster:
		for field, given := range map[string]bool{"until": s.Until != nil, "events": s.Events != nil, "expect": s.Expect != nil} {
			if given {
				r.wrong("spec."+field, "does not go with a trace, which brings its own")
			}
		}
	case s.Until == nil:
		r.wrong("spec.until", "missing; say when the run ends, such as 12h")
	case s.Until.Duration <= 0:
		r.wrong("spec.until", "got %s, want a time after the start", s.Until.Duration)
	default:
		r.in.Until = s.Until.Duration
	}
	r.validate()
	for _, o := range r.objects.inOrder() {
		switch typed := o.typed.(type) {
		case *v1alpha1.Team:
			r.in.Teams = append(r.in.Teams, typed)
		case *v1alpha1.Quota:
			r.in.Quotas = append(r.in.Quotas, typed)
		case *v1alpha1.TopologyDomain:
			r.in.Domains = append(r.in.Domains, typed)
			if typed.IsPool() {
				r.in.Pools = append(r.in.Pools, poolOf(typed))
				r.in.Cordons[typed.Name] = r.objects.cordons(typed.Name)
			}
		}
	}
}

// ordered returns the indices of the events in order of their time, those of one time as they stand in the file.
func ordered(events []eventSpec) []int {
	order := make([]int, len(events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(atOf(events[a].At), atOf(events[b].At)) })
	return order
}

func atOf(d *metav1.Duration) time.Duration {
	if d == nil {
		return 0
	}
	return d.Duration
}
