package topology

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName is how long a name may be that is to serve as a label value as well.
const maxName = 63

// NameOf is the name of the domain of a pool at a path: pool and label values with dots between them where that is a name
// and can mean nothing else, and made unique by a print of them where characters had to be changed or left out.
func NameOf(pool string, path []string) string {
	plain := pool + "." + strings.Join(path, ".")
	name := sanitize(plain)
	if name == plain && len(name) <= maxName && strings.Count(name, ".") == len(path) {
		return name
	}
	sum := sha256.Sum256([]byte(pool + "\x00" + strings.Join(path, "\x00")))
	suffix := "-" + hex.EncodeToString(sum[:5])
	name = strings.TrimRight(name[:min(len(name), maxName-len(suffix))], "-.")
	return name + suffix
}

// sanitize makes a string a DNS subdomain, label by label.
func sanitize(s string) string {
	labels := strings.Split(strings.ToLower(s), ".")
	for i, label := range labels {
		label = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
				return r
			}
			return '-'
		}, label)
		if label = strings.Trim(label, "-"); label == "" {
			label = "x"
		}
		labels[i] = label
	}
	return strings.Join(labels, ".")
}
