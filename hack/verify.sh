#!/usr/bin/env bash
# What must hold before a merge, tests aside. Every check runs, so that one call tells everything; the exit code says
# whether all held.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()

check() { # what, command...
	local what=$1 start=$SECONDS
	shift
	if "$@"; then
		echo "ok    $what ($((SECONDS - start)) s)"
	else
		echo "FAIL  $what ($((SECONDS - start)) s)"
		failed+=("$what")
	fi
}

# A state of all files that generation may touch: committed, changed and new ones alike.
fingerprint() {
	git ls-files -z --cached --others --exclude-standard -- api charts config docs | xargs -0 sha256sum 2>/dev/null | sort
}

generated() {
	local before after
	before=$(fingerprint)
	hack/generate.sh || return 1
	after=$(fingerprint)
	[ "$before" = "$after" ] && return 0
	echo "generated files are out of date; make generate changed:" >&2
	diff <(echo "$before") <(echo "$after") | awk '/^[<>]/ {print "  " $3}' | sort -u >&2
	return 1
}

modules() { # go.mod and go.sum as go mod tidy would leave them
	local diff
	diff=$(go mod tidy -diff) && return 0
	echo "go mod tidy would change, among others:" >&2
	grep '^[+-]' <<<"$diff" | head -n 20 >&2
	return 1
}

shell() { # every script parses
	git ls-files -z '*.sh' .ci/run | xargs -0 -n1 bash -n
}

check "go.mod is tidy" modules
check "everything builds" go build ./...
check "scripts parse" shell
check "generated files are current" generated
check "linters and formatting" go tool -modfile=hack/lint/go.mod golangci-lint run
check "the chart installs what config/default does" hack/chart.sh

if [ ${#failed[@]} -gt 0 ]; then
	printf 'verify: failed: %s\n' "${failed[@]}"
	exit 1
fi
echo "verify: all held"
