# Everything a developer runs. Nothing is needed but Go, git, make and curl: tools are Go modules, pinned under hack/.
SHELL := /usr/bin/env bash -o pipefail
.DEFAULT_GOAL := help

# What the tests take besides: RACE=1 turns on the race detector (needs a C compiler), RUN=<regexp> selects tests.
TESTFLAGS ?= $(if $(RACE),-race) $(if $(RUN),-run '$(RUN)')
# How long one test binary may take.
TEST_TIMEOUT ?= 20m
# How long each fuzz target runs.
FUZZTIME ?= 10s
# How often each benchmark runs; benchstat wants 6 or more to tell a change from noise.
BENCH_COUNT ?= 6
# What the benchmarks measure: a regexp over their names.
BENCH ?= .
# The other Kubernetes series that the cluster side is tested on; hack/controlplane pins each.
VERSIONS ?= 1.34
# The image that deploy installs.
IMG ?= ghcr.io/berth-dev/berth:dev
# The scenario that play runs, or several, and by how much time goes faster there.
SCENARIO ?=
SPEED ?= 60
KUBECTL ?= kubectl

TOOL      = go tool -modfile=hack/tools/go.mod
KUSTOMIZE = $(TOOL) kustomize
HELM      = go tool -modfile=hack/helm/go.mod helm
GOLANGCI  = go tool -modfile=hack/lint/go.mod golangci-lint
BENCHSTAT = go tool -modfile=hack/bench/go.mod benchstat

##@ Start here

.PHONY: help
help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: controlplane ## Watch gangs wait, start whole, make way and return on a simulated H100 cluster (KEEP=1 keeps it)
	@mkdir -p bin && go build -o bin/ . && go build -o bin/berth-demo ./hack/demo
	@exec bin/berth-demo $(if $(KEEP),--keep)

.PHONY: play
play: controlplane ## Play a scenario on a real control plane and in the simulator: make play SCENARIO=path/to/file.yaml SPEED=60
	@[ -n "$(SCENARIO)" ] || { echo "make play: say which scenario: make play SCENARIO=path/to/file.yaml" >&2; exit 2; }
	@mkdir -p bin && go build -o bin/ . && go build -o bin/berth-play ./hack/play
	@exec bin/berth-play --speed $(SPEED) $(SCENARIO)

##@ Build

.PHONY: build
build: ## The manager and the commands, into bin/
	@mkdir -p bin
	go build -trimpath -o bin/ . ./cmd/...

.PHONY: controlplane
controlplane: ## The development control plane, from Go modules into bin/controlplane/ (minutes once, then at once)
	@hack/controlplane/build.sh

.PHONY: generate
generate: ## Deepcopy, CRDs, RBAC, webhook manifests, field reference, chart
	hack/generate.sh

##@ Test

.PHONY: test
test: controlplane ## All tests
	go test -timeout $(TEST_TIMEOUT) $(TESTFLAGS) ./...

.PHONY: test-unit
test-unit: ## The tests that need no control plane: seconds
	go test -timeout $(TEST_TIMEOUT) $(TESTFLAGS) $$(hack/packages.sh unit)

.PHONY: test-integration
test-integration: controlplane ## The tests of single packages against a real control plane
	go test -timeout $(TEST_TIMEOUT) $(TESTFLAGS) $$(hack/packages.sh integration)

.PHONY: test-e2e
test-e2e: controlplane ## The manager as a process, with its own rights, on a real control plane
	go test -timeout $(TEST_TIMEOUT) $(TESTFLAGS) ./e2e/...

.PHONY: test-versions
test-versions: ## test-e2e on the other Kubernetes versions: make test-versions VERSIONS="1.34"
	@for version in $(VERSIONS); do \
		hack/controlplane/build.sh $$version && \
		BERTH_TEST_KUBERNETES=$$version go test -count=1 -timeout $(TEST_TIMEOUT) $(TESTFLAGS) ./e2e/... || exit 1; \
	done

.PHONY: bench
bench: ## Benchmarks of the engine as one table; docs/performance.md tells how to read it
	@mkdir -p bin
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCH_COUNT) -timeout 60m ./internal/engine/... ./internal/simulate/... | tee bin/bench.txt
	$(BENCHSTAT) $(if $(OLD),$(OLD)) bin/bench.txt

.PHONY: mutate
mutate: ## Turn one line of the engine at a time; every such mutant must be caught by a test
	go run ./hack/mutate

.PHONY: fuzz
fuzz: ## Every fuzz target for FUZZTIME (10s)
	hack/fuzz.sh $(FUZZTIME)

##@ Check

.PHONY: verify
verify: ## What must hold before a merge, tests aside: generated files, modules, formatting, linters, chart
	hack/verify.sh

.PHONY: lint
lint: ## golangci-lint with the architecture in .golangci.yml
	$(GOLANGCI) run

##@ Install

.PHONY: install
install: ## The CRDs alone, into the cluster of the current kubeconfig
	$(KUSTOMIZE) build config/crd | $(KUBECTL) apply --server-side -f -

.PHONY: deploy
deploy: ## Everything, into the cluster of the current kubeconfig: make deploy IMG=registry/berth:tag
	$(KUSTOMIZE) build config/default | sed 's|ghcr.io/berth-dev/berth:dev|$(IMG)|' | $(KUBECTL) apply --server-side -f -
