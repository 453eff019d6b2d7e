package simulate

import (
	"os"
	"strings"
	"testing"
)

func TestTheExampleOfTheDocumentationHolds(t *testing.T) {
	page, err := os.ReadFile("../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/simulate.md has no example")
	}
	in, mistakes := Read([]byte(example))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	for _, f := range Run(in, Options{}).Failures {
		t.Error(f)
	}
}
