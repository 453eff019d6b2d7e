#!/usr/bin/env bash
# Prints the packages whose tests need no control plane ("unit"), or those that do, end-to-end tests aside
# ("integration"). A test needs one exactly if it imports internal/devcluster, so that no list has to be kept.
set -euo pipefail
cd "$(dirname "$0")/.."
module=$(go list -m)

needing='{{$p := .ImportPath}}{{range .TestImports}}{{$p}} {{.}}
{{end}}{{range .XTestImports}}{{$p}} {{.}}
{{end}}'
# The package's own tests need it even where they lie inside it.
needs=$({ go list -f "$needing" ./... | awk -v d="$module/internal/devcluster" '$2 == d {print $1}'; echo "$module/internal/devcluster"; } | sort -u)

case "${1:-}" in
unit) go list ./... | grep -vxF "$needs" ;;
integration) grep -v "^$module/e2e" <<<"$needs" ;;
*) echo "usage: packages.sh unit|integration" >&2; exit 2 ;;
esac
