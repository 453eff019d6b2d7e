package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// setPath replaces what is at a path such as spec.roles.0.replicas of a JSON tree, and returns the changed tree; the given
// one is left as it was. Maps on the way are made where they are missing, list items are not.
func setPath(tree any, path string, value any) (any, error) {
	return setSteps(tree, strings.Split(path, "."), nil, value)
}

func setSteps(tree any, steps, done []string, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	step, rest, here := steps[0], steps[1:], slices.Concat(done, steps[:1])
	if step == "" {
		return nil, fmt.Errorf("an empty name in the path")
	}
	switch node := tree.(type) {
	case nil:
		inner, err := setSteps(nil, rest, here, value)
		return map[string]any{step: inner}, err
	case map[string]any:
		inner, err := setSteps(node[step], rest, here, value)
		out := maps.Clone(node)
		out[step] = inner
		return out, err
	case []any:
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(node) {
			return nil, fmt.Errorf("%s is a list of %d, want an index from 0 to %d instead of %q",
				strings.Join(done, "."), len(node), len(node)-1, step)
		}
		inner, err := setSteps(node[i], rest, here, value)
		out := slices.Clone(node)
		out[i] = inner
		return out, err
	default:
		return nil, fmt.Errorf("%s is neither a map nor a list", strings.Join(done, "."))
	}
}

// mergePatch applies an RFC 7386 merge patch to a JSON tree and returns the changed tree; the given one is left as it was.
func mergePatch(tree, patch any) any {
	changes, isMap := patch.(map[string]any)
	if !isMap {
		return patch
	}
	old, _ := tree.(map[string]any)
	out := make(map[string]any, len(old)+len(changes))
	maps.Copy(out, old)
	for k, v := range changes {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = mergePatch(out[k], v)
		}
	}
	return out
}
