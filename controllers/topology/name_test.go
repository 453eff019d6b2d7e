package topology_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/controllers/topology"
)

func TestNameOfIsReadableWhereItCanBe(t *testing.T) {
	for name, test := range map[string]struct {
		pool   string
		path   []string
		prefix string
		plain  bool
	}{
		"a rack under a spine":                  {"h100", []string{"s3", "r12"}, "h100.s3.r12", true},
		"capitals are lowered":                  {"h100", []string{"Rack7"}, "h100.rack7-", false},
		"underscores become dashes":             {"h100", []string{"row_3"}, "h100.row-3-", false},
		"a dot in a value is told from a level": {"h100", []string{"s3.r12"}, "h100.s3.r12-", false},
		"a dot in a pool is told from a level":  {"h100.s3", []string{"r12"}, "h100.s3.r12-", false},
		"nothing usable is left":                {"h100", []string{"__"}, "h100.x-", false},
		"too long": {
			"h100", []string{strings.Repeat("a", 40), strings.Repeat("b", 40)}, "h100." + strings.Repeat("a", 40) + ".", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := topology.NameOf(test.pool, test.path)
			if test.plain && got != test.prefix || !test.plain && (!strings.HasPrefix(got, test.prefix) || got == test.prefix) {
				t.Errorf("NameOf(%q, %q) = %q, want %q, followed by a print of the path: %t", test.pool, test.path, got, test.prefix, !test.plain)
			}
		})
	}
}

func TestNamesAreValidAndNoTwoDomainsShareOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Values that differ little, so that only what tells them apart by intent does.
		value := rapid.StringMatching(`[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?|[aA][._-][bB]|[aA]|[bB]`)
		poolName := rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?(\.[ab])?|a|a\.b`)
		seen := map[string]string{}
		for range rapid.IntRange(1, 20).Draw(t, "domains") {
			pool, path := poolName.Draw(t, "pool"), rapid.SliceOfN(value, 1, 8).Draw(t, "path")
			name := topology.NameOf(pool, path)
			if errs := validation.IsDNS1123Subdomain(name); len(errs) > 0 {
				t.Fatalf("NameOf(%q, %q) = %q: %v", pool, path, name, errs)
			}
			if errs := validation.IsValidLabelValue(name); len(errs) > 0 {
				t.Fatalf("NameOf(%q, %q) = %q is no label value: %v", pool, path, name, errs)
			}
			identity := pool + "/" + strings.Join(path, "/")
			if other, taken := seen[name]; taken && other != identity {
				t.Fatalf("%s and %s are both called %s", other, identity, name)
			}
			seen[name] = identity
		}
	})
}
