#!/usr/bin/env bash
# Writes everything that is generated: deepcopy functions, CRDs, the manager's ClusterRole, webhook manifests, the field
# reference, and the chart's copies of these. make verify runs it and fails if anything changes.
set -euo pipefail
cd "$(dirname "$0")/.."

tool() { go tool -modfile=hack/tools/go.mod "$@"; }

tool controller-gen object paths=./api/...
tool controller-gen crd:generateEmbeddedObjectMeta=true paths=./api/... output:crd:dir=config/crd/bases
go run ./hack/crds config/crd/bases/*.yaml
tool controller-gen rbac:roleName=berth-manager paths=./controllers/... paths=./webhooks/... paths=./internal/... paths=. output:rbac:dir=config/rbac
tool controller-gen webhook paths=./webhooks/... output:webhook:dir=config/webhook
tool crd-ref-docs --source-path=api/v1alpha1 --config=hack/crd-ref-docs.yaml --renderer=markdown --output-path=docs/reference/api.md --log-level=ERROR

# The chart takes these as they are, so that it cannot fall behind.
chart=charts/berth/generated
rm -rf "$chart"
mkdir -p "$chart/crds"
cp config/crd/bases/*.yaml "$chart/crds/"
cp config/rbac/{role,role_binding,namespaced_role,user_roles}.yaml config/priority/classes.yaml "$chart/"
cp config/certmanager/certificate.yaml config/manager/berth.yaml "$chart/"
tool kustomize build config/webhook >"$chart/webhooks.yaml"
tool kustomize build config/policy >"$chart/policies.yaml"
