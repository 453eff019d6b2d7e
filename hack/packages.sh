#!/usr/bin/env bash
# Prints the packages whose tests need no control plane ("unit"), or those whose do, end-to-end tests aside
# ("integration"). A test needs one exactly if internal/devcluster is part of it, so that no list has to be kept.
set -euo pipefail
cd "$(dirname "$0")/.."
module=$(go list -m)

# The test programs of all packages, with everything that they are made of.
programs() { go list -test -f '{{if eq .Name "main"}}{{.ImportPath}} {{join .Deps " "}}{{end}}' ./... | grep '^[^ ]*\.test '; }

needs=$(programs | awk -v cluster="$module/internal/devcluster" '
	{ for (i = 2; i <= NF; i++) if ($i == cluster) { sub(/\.test$/, "", $1); print $1; next } }')

case "${1:-}" in
unit) go list ./... | grep -vxF "$needs" ;;
integration) grep -v "^$module/e2e" <<<"$needs" ;;
*) echo "usage: packages.sh unit|integration" >&2; exit 2 ;;
esac
