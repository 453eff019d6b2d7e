package simulate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// numbering is {i}, {i/4} or {i%4} in a name or label.
var numbering = regexp.MustCompile(`\{i(?:([/%])([0-9]+))?\}`)

// expand puts the i-th number into a text.
func expand(text string, i int) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return numbering.ReplaceAllStringFunc(text, func(match string) string {
		parts := numbering.FindStringSubmatch(match)
		n, err := strconv.Atoi(parts[2])
		switch {
		case parts[1] == "":
			return strconv.Itoa(i)
		case err != nil || n == 0:
			return match
		case parts[1] == "/":
			return strconv.Itoa(i / n)
		default:
			return strconv.Itoa(i % n)
		}
	})
}

// checkNumbering refuses braces that expand would leave as they are.
func checkNumbering(text string) error {
	rest := numbering.ReplaceAllStringFunc(text, func(match string) string {
		if parts := numbering.FindStringSubmatch(match); parts[1] != "" {
			if n, err := strconv.Atoi(parts[2]); err != nil || n == 0 {
				return match
			}
		}
		return ""
	})
	if strings.ContainsAny(rest, "{}") {
		return fmt.Errorf("%q: want {i}, {i/N} or {i%%N} with N above 0", text)
	}
	return nil
}
