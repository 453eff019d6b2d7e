package simulate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/manifest"
	"github.com/berth-dev/berth/internal/translate"
)

// object is one manifest of a file, as it stands at some time: patches replace tree and typed.
type object struct {
	key   objectKey
	order int
	doc   manifest.Document
	tree  any
	typed metav1.Object
	// wrong is true when the manifest itself has mistakes, which are told once and not again for whatever is made of it.
	wrong bool
	// used is true when an event submits it.
	used bool
}

type objectKey struct{ kind, namespace, name string }

func (k objectKey) String() string {
	return strings.TrimSuffix(k.kind+" "+strings.TrimPrefix(k.namespace+"/"+k.name, "/"), " ")
}

type objects map[objectKey]*object

func (o objects) inOrder() []*object {
	return slices.SortedFunc(maps.Values(o), func(a, b *object) int { return cmp.Compare(a.order, b.order) })
}

// cordons lists the cordoned domains of a pool.
func (o objects) cordons(pool string) [][]string {
	var domains []*v1alpha1.TopologyDomain
	for _, object := range o.inOrder() {
		if d, ok := object.typed.(*v1alpha1.TopologyDomain); ok {
			domains = append(domains, d)
		}
	}
	return translate.Cordons(pool, domains)
}

// newTyped returns an empty object of a kind, nil for a kind that a scenario has no use for.
func newTyped(kind string) metav1.Object {
	switch kind {
	case "Team":
		return &v1alpha1.Team{}
	case "Quota":
		return &v1alpha1.Quota{}
	case "TopologyDomain":
		return &v1alpha1.TopologyDomain{}
	case "GangJob":
		return &v1alpha1.GangJob{}
	default:
		return nil
	}
}

// object reads a manifest.
func (r *reader) object(doc manifest.Document) {
	typed := newTyped(doc.Kind)
	if typed == nil {
		r.wrongIn(doc, "kind", "unknown kind %q, want Team, Quota, TopologyDomain or GangJob", doc.Kind)
		return
	}
	mistakes := doc.Decode(typed)
	tree, _ := doc.Value()
	r.mistakes = append(r.mistakes, mistakes...)
	key := objectKey{doc.Kind, typed.GetNamespace(), typed.GetName()}
	if key.name == "" {
		r.wrongIn(doc, "metadata.name", "missing")
		return
	}
	if doc.Kind != "GangJob" && key.namespace != "" {
		r.wrongIn(doc, "metadata.namespace", "a %s has no namespace", doc.Kind)
	}
	if first := r.objects[key]; first != nil {
		r.wrongIn(doc, "metadata.name", "%s stands in line %d already", key, first.doc.Line("metadata.name"))
		return
	}
	r.objects[key] = &object{key: key, order: len(r.objects), doc: doc, tree: tree, typed: typed, wrong: len(mistakes) > 0}
}

// typedOf decodes a changed tree of a kind strictly; its mistakes have paths but no lines.
func typedOf(kind string, tree any) (metav1.Object, manifest.Mistakes) {
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, manifest.Mistakes{{Message: err.Error()}}
	}
	documents, mistakes := manifest.Split(data)
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	typed := newTyped(kind)
	if len(documents) != 1 || typed == nil {
		return nil, manifest.Mistakes{{Message: fmt.Sprintf("not a %s any more", kind)}}
	}
	return typed, documents[0].Decode(typed)
}

func poolOf(d *v1alpha1.TopologyDomain) engine.Pool { return translate.Pool(d) }

// template finds the GangJob that a submission names: in its own namespace, else without a namespace, else the only one of
// that name.
func (r *reader) template(namespace, name string) *object {
	if o := r.objects[objectKey{"GangJob", namespace, name}]; o != nil {
		return o
	}
	if o := r.objects[objectKey{"GangJob", "", name}]; o != nil {
		return o
	}
	var only *object
	for _, o := range r.objects.inOrder() {
		if o.key.kind == "GangJob" && o.key.name == name {
			if only != nil {
				return nil
			}
			only = o
		}
	}
	return only
}
