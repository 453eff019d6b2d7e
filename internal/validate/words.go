package validate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// oneOf wants a word of a list.
func oneOf[T ~string](at *field.Path, value T, words ...T) field.ErrorList {
	if slices.Contains(words, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, value, words)}
}

// within wants a number between two others, both included.
func within[T ~int32](at *field.Path, value, low, high T) field.ErrorList {
	if value >= low && value <= high {
		return nil
	}
	return refuse(at, value, "must be %d to %d", low, high)
}

// refuse is a mistake of one field. The detail says what is wrong and what would be right.
func refuse(at *field.Path, value any, detail string, args ...any) field.ErrorList {
	return field.ErrorList{field.Invalid(at, value, fmt.Sprintf(detail, args...))}
}

// notYet refuses a field that the API has and nothing serves.
func notYet(at *field.Path, value any, what, instead string) field.ErrorList {
	return refuse(at, value, "%s not yet supported; %s", what, instead)
}

// label wants a name that may stand in a label and in a host name.
func label(at *field.Path, name, what string) field.ErrorList {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		return refuse(at, name, "%s is the value of labels: %s", what, strings.Join(problems, "; "))
	}
	return nil
}

// key wants the name of a label or resource.
func key(at *field.Path, name, what string) field.ErrorList {
	if problems := validation.IsQualifiedName(name); len(problems) > 0 {
		return refuse(at, name, "must be %s: %s", what, strings.Join(problems, "; "))
	}
	return nil
}

// positive wants a duration above zero, if there is one.
func positive(at *field.Path, d *metav1.Duration, otherwise string) field.ErrorList {
	if d == nil || d.Duration > 0 {
		return nil
	}
	return refuse(at, d.Duration.String(), "must be longer than 0s; %s", otherwise)
}

// atMost wants a duration of at most a bound that the manager's configuration sets.
func atMost(at *field.Path, d, bound time.Duration, setting string) field.ErrorList {
	if d <= bound {
		return nil
	}
	return refuse(at, d.String(), "must be at most %s, which the manager's configuration sets (%s); shorten it", short(bound), setting)
}

// short writes a duration without its empty parts: 15m, not 15m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// list writes words as people do: a, b, c; or "none".
func list[T ~string](words []T) string {
	if len(words) == 0 {
		return "none"
	}
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = string(word)
	}
	return strings.Join(out, ", ")
}
