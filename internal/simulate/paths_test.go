package simulate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func tree(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSetPath(t *testing.T) {
	tests := map[string]struct{ tree, path, value, want, err string }{
		"a field":               {`{"a":{"b":1}}`, "a.b", `2`, `{"a":{"b":2}}`, ""},
		"a list item":           {`{"a":[{"b":1},{"b":2}]}`, "a.1.b", `3`, `{"a":[{"b":1},{"b":3}]}`, ""},
		"maps that are missing": {`{}`, "a.b.c", `{"x":1}`, `{"a":{"b":{"c":{"x":1}}}}`, ""},
		"an item that is not":   {`{"a":[1]}`, "a.1", `3`, ``, `a is a list of 1, want an index from 0 to 0 instead of "1"`},
		"below a number":        {`{"a":1}`, "a.b", `3`, ``, "a is neither a map nor a list"},
		"an empty step":         {`{"a":{}}`, "a..b", `3`, ``, "an empty name in the path"},
		"an empty path":         {`{"a":1}`, "", `3`, ``, "an empty name in the path"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := tree(t, test.tree)
			got, err := setPath(before, test.path, tree(t, test.value))
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Fatalf("got error %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tree(t, test.want), got); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tree(t, test.tree), before); diff != "" {
				t.Errorf("the given tree was changed (-want +got):\n%s", diff)
			}
		})
	}
}

// The cases are those of RFC 7386, appendix A, that a manifest can meet.
func TestMergePatch(t *testing.T) {
	tests := map[string]struct{ tree, patch, want string }{
		"a field changes":         {`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		"a field comes":           {`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		"a field goes":            {`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		"a list is replaced":      {`{"a":["b"]}`, `{"a":["c"]}`, `{"a":["c"]}`},
		"maps are merged":         {`{"a":{"b":"c","d":"e"}}`, `{"a":{"b":"f","d":null}}`, `{"a":{"b":"f"}}`},
		"a value becomes a map":   {`{"a":1}`, `{"a":{"b":2}}`, `{"a":{"b":2}}`},
		"null in a new map is no": {`{}`, `{"a":{"b":{"c":null}}}`, `{"a":{"b":{}}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := tree(t, test.tree)
			if diff := cmp.Diff(tree(t, test.want), mergePatch(before, tree(t, test.patch))); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tree(t, test.tree), before); diff != "" {
				t.Errorf("the given tree was changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpand(t *testing.T) {
	for _, test := range []struct {
		text string
		i    int
		want string
	}{
		{"n{i}", 7, "n7"}, {"r{i/4}-{i%4}", 7, "r1-3"}, {"plain", 7, "plain"}, {"{i}{i}", 1, "11"},
	} {
		if got := expand(test.text, test.i); got != test.want || checkNumbering(test.text) != nil {
			t.Errorf("%q with %d: got %q (%v), want %q", test.text, test.i, got, checkNumbering(test.text), test.want)
		}
	}
	for _, text := range []string{"{j}", "{i/0}", "{i%}", "{i", "i}", "{i*2}"} {
		if checkNumbering(text) == nil {
			t.Errorf("%q: got no error", text)
		}
	}
}
