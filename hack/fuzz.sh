#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for the given time (default 10s).
set -euo pipefail
cd "$(dirname "$0")/.."
duration=${1:-10s}
found=
while IFS=: read -r file target; do
	found=yes
	echo "fuzzing $target in $(dirname "$file") for $duration"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "./$(dirname "$file")"
done < <(git ls-files '*_test.go' | xargs grep -noE '^func Fuzz[A-Za-z0-9_]+' | sed -E 's/:[0-9]+:func /:/')
[ -n "$found" ] || { echo "fuzz.sh: no fuzz target found" >&2; exit 1; }
