#!/usr/bin/env bash
# Lints the chart, renders it with several values, and compares what it installs with config/.
set -euo pipefail
cd "$(dirname "$0")/.."
chart=charts/berth
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HELM_CACHE_HOME="$work" HELM_CONFIG_HOME="$work" HELM_DATA_HOME="$work"

helm() { go tool -modfile=hack/helm/go.mod helm "$@"; }
template() { helm template berth "$chart" --namespace berth-system "$@"; }
kustomize() { go tool -modfile=hack/tools/go.mod kustomize build "$1"; }
compare() { go run ./hack/chartdiff "$@"; }

helm lint --strict --quiet "$chart"

kustomize config/default >"$work/default.yaml"
template >"$work/chart.yaml"
compare "$work/default.yaml" "$work/chart.yaml"

kustomize config/certmanager >"$work/default.yaml"
template --set certificates=CertManager >"$work/chart.yaml"
compare "$work/default.yaml" "$work/chart.yaml"

# Another namespace is another namespace everywhere.
helm template berth "$chart" --namespace elsewhere --set certificates=CertManager >"$work/chart.yaml"
if grep -n "berth-system" "$work/chart.yaml"; then
	echo "chart.sh: the lines above name berth-system though the chart was rendered for another namespace" >&2
	exit 1
fi

grep -q -e '--namespace=elsewhere' "$work/chart.yaml" || { echo "chart.sh: the manager is not told its namespace" >&2; exit 1; }

# Every value lands somewhere.
template --set crds.install=false,priorityClasses=false,userRoles=false,replicas=3 \
	--set image.digest=sha256:$(printf '0%.0s' {1..64}),image.pullSecrets[0].name=pull \
	--set config.reserveAfter=7m --set 'extraArgs={--zap-log-level=debug}' \
	--set nodeSelector.pool=system,podLabels.tier=platform,podAnnotations.note=x,priorityClassName=system-cluster-critical >"$work/chart.yaml"
for want in 'replicas: 3' '@sha256:0000' 'name: pull' 'reserveAfter: 7m' '--zap-log-level=debug' 'pool: system' 'tier: platform' 'note: x' 'system-cluster-critical'; do
	grep -qF -e "$want" "$work/chart.yaml" || { echo "chart.sh: a value set is not in the output: $want" >&2; exit 1; }
done
if grep -nE '^kind: (CustomResourceDefinition|PriorityClass)' "$work/chart.yaml"; then
	echo "chart.sh: crds.install=false and priorityClasses=false leave out CRDs and PriorityClasses, but the lines above are there" >&2
	exit 1
fi

# What nobody knows is refused.
for wrong in replicas=0 replica=2 certificates=None image.tags=x config.kind=Other; do
	if template --set "$wrong" >/dev/null 2>&1; then
		echo "chart.sh: values.schema.json lets $wrong through" >&2
		exit 1
	fi
done
