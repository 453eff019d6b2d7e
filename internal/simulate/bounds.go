package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bounds limits a number: a number alone means exactly it.
type bounds struct {
	Is  *float64 `json:"is,omitempty"`
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// UnmarshalJSON reads a number, or a map of is, min and max.
func (b *bounds) UnmarshalJSON(data []byte) error {
	var exact float64
	if json.Unmarshal(data, &exact) == nil {
		b.Is = &exact
		return nil
	}
	type plain bounds
	if err := strictly(data, (*plain)(b)); err != nil {
		return fmt.Errorf("want a number, or a map of is, min and max: %w", err)
	}
	if *b == (bounds{}) {
		return fmt.Errorf("want at least one of is, min and max")
	}
	return nil
}

func (b *bounds) hold(v float64) bool {
	return (b.Is == nil || v == *b.Is) && (b.Min == nil || v >= *b.Min) && (b.Max == nil || v <= *b.Max)
}

func (b *bounds) String() string {
	var parts []string
	for _, p := range []struct {
		word  string
		value *float64
	}{{"", b.Is}, {"at least ", b.Min}, {"at most ", b.Max}} {
		if p.value != nil {
			parts = append(parts, p.word+strconv.FormatFloat(*p.value, 'g', -1, 64))
		}
	}
	return strings.Join(parts, " and ")
}

// phases is one phase or a list of them.
type phases []Phase

// UnmarshalJSON reads a phase or a list of phases.
func (p *phases) UnmarshalJSON(data []byte) error {
	var one Phase
	if json.Unmarshal(data, &one) == nil {
		*p = phases{one}
	} else if err := json.Unmarshal(data, (*[]Phase)(p)); err != nil {
		return fmt.Errorf("want a phase or a list of phases")
	}
	if len(*p) == 0 {
		return fmt.Errorf("want at least one phase")
	}
	for _, phase := range *p {
		if !slices.Contains(allPhases, phase) {
			return fmt.Errorf("unknown phase %q, want one of %s", phase, phases(allPhases))
		}
	}
	return nil
}

func (p phases) String() string {
	words := make([]string, len(p))
	for i, phase := range p {
		words[i] = string(phase)
	}
	return strings.Join(words, " or ")
}

func strictly(data []byte, out any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(out)
}
