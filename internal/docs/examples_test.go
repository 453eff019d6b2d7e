package docs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/manifest"
)

// kinds are the types that examples of the group decode into.
var kinds = map[string]func() any{
	"Team":           func() any { return &v1alpha1.Team{} },
	"Quota":          func() any { return &v1alpha1.Quota{} },
	"TopologyDomain": func() any { return &v1alpha1.TopologyDomain{} },
	"GangJob":        func() any { return &v1alpha1.GangJob{} },
}

func TestSamplesDecodeStrictly(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range samples(t) {
		for _, kind := range decodeStrictly(t, file, read(t, file)) {
			seen[kind] = true
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("config/samples has no %s", kind)
		}
	}
}

func TestExamplesInPagesDecodeStrictly(t *testing.T) {
	checked := 0
	for _, page := range files(t, ".md") {
		for _, block := range yamlBlocks(read(t, page)) {
			if strings.Contains(block, "apiVersion: berth.dev/v1alpha1") {
				decodeStrictly(t, page, block)
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("no page has an example")
	}
}

var embedded = regexp.MustCompile("(?s)<!-- ([^ ]+\\.yaml) -->\n```yaml\n(.*?)```")

// An example that says which file it is, is that file: what people read is what tests run.
func TestEmbeddedExamplesAreTheirFiles(t *testing.T) {
	checked := 0
	for _, page := range files(t, ".md") {
		for _, match := range embedded.FindAllStringSubmatch(read(t, page), -1) {
			checked++
			if want := read(t, filepath.Join(top, match[1])); match[2] != want {
				t.Errorf("%s shows %s, but the file reads otherwise:\n%s", page, match[1], want)
			}
		}
	}
	if checked == 0 {
		t.Error("no page shows a file of config/samples")
	}
}

// samples are the manifests under config/samples.
func samples(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, file := range files(t, ".yaml") {
		if strings.Contains(filepath.ToSlash(file), "/config/samples/") && filepath.Base(file) != "kustomization.yaml" {
			found = append(found, file)
		}
	}
	if len(found) == 0 {
		t.Fatal("config/samples is empty")
	}
	return found
}

// decodeStrictly decodes every document of the group and returns their kinds.
func decodeStrictly(t *testing.T, where, text string) []string {
	t.Helper()
	documents, mistakes := manifest.Split([]byte(text))
	var decoded []string
	for _, document := range documents {
		if document.APIVersion != v1alpha1.GroupVersion.String() {
			continue
		}
		object, known := kinds[document.Kind]
		if !known {
			t.Errorf("%s: there is no kind %q in %s", where, document.Kind, document.APIVersion)
			continue
		}
		mistakes = append(mistakes, document.Decode(object())...)
		decoded = append(decoded, document.Kind)
	}
	for _, mistake := range mistakes {
		t.Errorf("%s: %s", where, mistake)
	}
	return decoded
}

var fence = regexp.MustCompile("(?s)```yaml\n(.*?)```")

func yamlBlocks(page string) []string {
	var blocks []string
	for _, match := range fence.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, match[1])
	}
	return slices.Clip(blocks)
}
