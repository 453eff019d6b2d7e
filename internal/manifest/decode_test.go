package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type sample struct {
	metav1.TypeMeta `json:",inline"`
	Name            string              `json:"name,omitempty"`
	Count           int32               `json:"count,omitempty"`
	On              *bool               `json:"on,omitempty"`
	Every           *metav1.Duration    `json:"every,omitempty"`
	Labels          map[string]string   `json:"labels,omitempty"`
	Capacity        corev1.ResourceList `json:"capacity,omitempty"`
	Items           []sample            `json:"items,omitempty"`
	Extra           Raw                 `json:"extra,omitzero"`
}

func decode(t *testing.T, text string) (sample, Mistakes) {
	t.Helper()
	documents, mistakes := Split([]byte(text))
	if len(mistakes) > 0 {
		return sample{}, mistakes
	}
	if len(documents) != 1 {
		t.Fatalf("got %d documents, want 1", len(documents))
	}
	var out sample
	return out, documents[0].Decode(&out)
}

func TestDecodeTellsEveryMistakeWithItsLine(t *testing.T) {
	tests := map[string]struct {
		text string
		want Mistakes
	}{
		"unknown and repeated fields": {
			"name: a\nnmae: b\nname: c\n",
			Mistakes{{2, "nmae", "unknown field"}, {3, "name", "given twice"}},
		},
		"a number where text is wanted": {
			"items:\n- name: 7\n",
			Mistakes{{2, "items[0].name", "got the number 7, want text (quoted where it looks like a number or a boolean)"}},
		},
		"y is a boolean": {
			"labels:\n  a: y\n  b: \"y\"\n",
			Mistakes{{2, "labels[a]", "got the boolean true, want text (quoted where it looks like a number or a boolean)"}},
		},
		"values that a type refuses": {
			"every: 5 minutes\ncapacity: {cpu: many}\ncount: 3000000000\n",
			Mistakes{
				{1, "every", `the text "5 minutes": time: unknown unit " minutes" in duration "5 minutes"`},
				{2, "capacity[cpu]", `the text "many": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`},
				{3, "count", "got the number 3000000000, want a whole number of at most 32 bits"},
			},
		},
		"maps and lists where they do not belong": {
			"items: {a: b}\nlabels: [a]\nname: [x]\n",
			Mistakes{
				{1, "items", "got a map, want a list"},
				{2, "labels", "got a list, want a map"},
				{3, "name", "got a list, want text (quoted where it looks like a number or a boolean)"},
			},
		},
		"infinity": {"extra: {a: .inf}\n", Mistakes{{1, "extra.a", `the value ".inf" cannot be written as JSON`}}},
		"broken syntax": {
			"name: a\n  bad: [\n", Mistakes{{2, "", "not YAML: mapping values are not allowed in this context"}},
		},
		"not a manifest": {"- a\n", Mistakes{{1, "", "got a list, want a manifest"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, got := decode(t, test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeReadsWhatKubernetesReads(t *testing.T) {
	text := `
apiVersion: v1
kind: Sample
base: &base {a: "1", b: "2"}
`
	if _, got := decode(t, text); len(got) != 1 {
		t.Fatalf("an anchor in an unknown field: got %v, want one mistake", got)
	}
	var got sample
	documents, _ := Split([]byte("kind: Sample\nitems:\n- labels: &l {a: x, true: z}\n- labels: {<<: *l, a: w}\n" +
		"\"on\": yes\ncount: 0x10\nevery: 90s\ncapacity: {cpu: 1.5, memory: 1Gi}\nextra: {num: 1, list: [on, \"on\", ~]}\n"))
	if mistakes := documents[0].Decode(&got); len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	yes := true
	want := sample{
		TypeMeta: metav1.TypeMeta{Kind: "Sample"}, On: &yes, Count: 16, Every: &metav1.Duration{Duration: 90e9},
		Items: []sample{
			{Labels: map[string]string{"a": "x", "true": "z"}}, {Labels: map[string]string{"a": "w", "true": "z"}},
		},
		Capacity: corev1.ResourceList{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("1Gi")},
		Extra:    Raw{map[string]any{"num": int64(1), "list": []any{true, "on", nil}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

func TestAnEndlessAliasIsAMistake(t *testing.T) {
	for name, text := range map[string]string{
		"a list that holds itself": "extra: &a [*a]\n",
		"a bomb": "items:\n- extra: &a [x, x, x, x, x, x, x, x, x, x]\n- extra: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n" +
			"- extra: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n- extra: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n" +
			"- extra: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n- extra: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n" +
			"- extra: [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := decode(t, text); len(got) == 0 {
				t.Error("got no mistake")
			}
		})
	}
}

func TestLineFollowsAPath(t *testing.T) {
	documents, mistakes := Split([]byte("# head\na: 1\nspec:\n  roles:\n  - name: x\n    labels:\n      k8s.io/a: b\n  - name: y\n"))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	for path, want := range map[string]int{
		"": 2, "spec": 3, "spec.roles[0]": 5, "spec.roles[0].labels[k8s.io/a]": 7, "spec.roles[1].name": 8,
		"spec.roles[1].replicas": 8, "spec.roles[9]": 4, "nothing.at.all": 2,
	} {
		if got := documents[0].Line(path); got != want {
			t.Errorf("line of %q: got %d, want %d", path, got, want)
		}
	}
}

func FuzzSplitAndDecode(f *testing.F) {
	f.Add([]byte("kind: A\nitems: [{name: x}]\n---\nkind: B\n"))
	f.Add([]byte("extra: &a {<<: *a, b: [*a]}\n"))
	f.Add([]byte("count: 0o17\nevery: 1h\n? [a]\n: b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		documents, _ := Split(data)
		for _, d := range documents {
			var out sample
			for _, m := range d.Decode(&out) {
				if m.Message == "" {
					t.Errorf("a mistake in line %d says nothing", m.Line)
				}
			}
			if line := d.Line("items[0].labels[a]"); line < 1 {
				t.Errorf("got line %d", line)
			}
		}
	})
}
