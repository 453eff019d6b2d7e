package devcluster

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// expression matches one {…} of a pattern; step one operation inside it.
var (
	expression = regexp.MustCompile(`\{[^{}]*\}`)
	valid      = regexp.MustCompile(`^\{i([/%+*][0-9]+)*\}$`)
	step       = regexp.MustCompile(`([/%+*])([0-9]+)`)
)

// expand replaces the expressions of i in a pattern by their values; see NodeGroup.
func expand(pattern string, i int) (string, error) {
	var failure error
	out := expression.ReplaceAllStringFunc(pattern, func(match string) string {
		value, err := evaluate(match, i)
		if err != nil {
			failure = fmt.Errorf("pattern %q: %w", pattern, err)
		}
		return strconv.Itoa(value)
	})
	if failure == nil && strings.ContainsAny(out, "{}") {
		failure = fmt.Errorf("pattern %q: a brace without its partner", pattern)
	}
	return out, failure
}

func evaluate(match string, i int) (int, error) {
	if !valid.MatchString(match) {
		return 0, fmt.Errorf("%s is no expression of i; right would be such as {i}, {i/4}, {i%%4}, {i/4%%2} or {i+64}", match)
	}
	for _, s := range step.FindAllStringSubmatch(match, -1) {
		operand, err := strconv.Atoi(s[2])
		if err != nil {
			return 0, err
		}
		if operand == 0 && (s[1] == "/" || s[1] == "%") {
			return 0, fmt.Errorf("%s divides by zero", match)
		}
		switch s[1] {
		case "/":
			i /= operand
		case "%":
			i %= operand
		case "+":
			i += operand
		case "*":
			i *= operand
		}
	}
	return i, nil
}
