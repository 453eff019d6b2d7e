package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	// notInAnchor is what GitHub leaves out of a heading's anchor.
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func TestLinksLeadSomewhere(t *testing.T) {
	checked := 0
	for _, page := range files(t, ".md") {
		for _, match := range link.FindAllStringSubmatch(withoutCode(read(t, page)), -1) {
			target := match[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			checked++
			path, anchor, _ := strings.Cut(target, "#")
			file := page
			if path != "" {
				file = filepath.Join(filepath.Dir(page), path)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s links to %s, which does not exist", page, target)
				continue
			}
			if anchor != "" && !info.IsDir() && !anchors(read(t, file))[anchor] {
				t.Errorf("%s links to %s, but %s has no such heading", page, target, file)
			}
		}
	}
	if checked < 10 {
		t.Errorf("found %d links; the expression or the walk went astray", checked)
	}
}

// withoutCode drops fenced blocks: what they hold is no Markdown.
func withoutCode(page string) string {
	var kept []string
	inside := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
			continue
		}
		if !inside {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(withoutCode(page), -1) {
		text := notInAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
		found[strings.ReplaceAll(strings.TrimSpace(text), " ", "-")] = true
	}
	for _, match := range regexp.MustCompile(`<a id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		found[match[1]] = true
	}
	return found
}
