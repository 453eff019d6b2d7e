#!/usr/bin/env bash
# Builds the development control plane from Go modules into bin/controlplane/<version>/.
#
#   hack/controlplane/build.sh            the default Kubernetes version
#   hack/controlplane/build.sh 1.34       the one pinned in kubernetes-1.34/
#
# Nothing is fetched but Go modules. A finished build leaves a stamp that names its inputs; while they stay the same,
# a second call returns at once.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
series=${1:-}
kube="$here/kubernetes${series:+-$series}"
[ -f "$kube/go.mod" ] || { echo "build.sh: no such version: $series (there are: $(cd "$here" && ls -d kubernetes*))" >&2; exit 2; }

version=$(cd "$kube" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
out="$repo/bin/controlplane/$version"
stamp=$(cat "$0" "$kube/go.mod" "$kube/go.sum" "$here/etcd/go.mod" "$here/kwok/go.mod" <(go version) | sha256sum)
if [ "$(cat "$out/.stamp" 2>/dev/null)" = "$stamp" ]; then
	echo "$out"
	exit 0
fi
mkdir -p "$out"

# One build of a version at a time; who waited finds it done.
if [ -z "${BUILD_LOCKED:-}" ] && command -v flock >/dev/null; then
	BUILD_LOCKED=1 exec flock "$out/.lock" "$0" "$@"
fi
rm -f "$out/.stamp" # others take a folder with a stamp for complete

IFS=. read -r major minor _ <<<"${version#v}"
pkg=k8s.io/component-base/version
ldflags="-s -w -X $pkg.gitVersion=$version -X $pkg.gitMajor=$major -X $pkg.gitMinor=$minor -X $pkg.gitTreeState=clean"

build() { # folder of the module, linker flags, packages
	local dir=$1 flags=$2
	shift 2
	echo "building $* ..." >&2
	(cd "$dir" && CGO_ENABLED=0 GOFLAGS= go build -buildvcs=false -trimpath -ldflags "$flags" -o "$out/" "$@")
}
build "$kube" "$ldflags" k8s.io/kubernetes/cmd/{kube-apiserver,kube-controller-manager,kube-scheduler,kubectl}
build "$here/kwok" "-s -w" sigs.k8s.io/kwok/cmd/kwok
(cd "$here/etcd" && CGO_ENABLED=0 GOFLAGS= go build -buildvcs=false -trimpath -ldflags "-s -w" -o "$out/etcd" go.etcd.io/etcd/server/v3)

echo "$stamp" >"$out/.stamp"
echo "$out"
