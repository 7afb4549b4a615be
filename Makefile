# The commands of Vitae. `make` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# The programs that `make build` builds, in addition to vitaectl. vitaectl is built without
# gRPC's trace pages: their templates keep every exported method, a quarter of its size.
programs := \
	./services/auth/cmd/auth \
	./services/partnercatalog/cmd/partnercatalog \
	./services/candidate/cmd/candidate \
	./services/cvrender/cmd/cvrender \
	./gateway/cmd/gateway \
	./deploy/standalone/cmd/vitae \
	./examples/partner-app

# The modules whose tests `make test` runs before those of e2e. `make verify` tests docs.
modules := $(filter-out ./docs ./e2e,$(shell sed -n 's/^\t\(\.\/.*\)/\1/p' go.work))

# Packages of e2e that have their own commands.
elsewhere := bench|drill|ha|observability

export VITAE_DATA_DIR ?= .vitae

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

.PHONY: run
run: setup build ## Install what is missing, build, start everything with the demo world
	@exec bin/vitae

# Tests mostly wait for Postgres or a process, so more of them run at once than there are CPUs.
# The go command does not notice changed programs, so results of end-to-end tests are not cached.
# Without debug information (-w), linking the test binaries takes three quarters of the time.
.PHONY: test
test: testtools build ## Run every test: unit, store, end to end, in a real browser
	@go build -o bin/ ./e2e/cmd/teststack
	@E2E_BIN=$(CURDIR)/bin tools/test.sh \
		@bin/testservers -vet=off -ldflags=-w -p=3 -parallel=8 $(modules:%=%/...) -- \
		@bin/teststack -vet=off -ldflags=-w -count=1 -p=3 $$(go list ./e2e/... | grep -vE '/e2e/($(elsewhere))(/|$$)')

.PHONY: test-race
test-race: testtools ## Run the unit and store tests with the race detector
	@tools/test.sh @bin/testservers -race -vet=off -parallel=4 $(modules:%=%/...)

# SINCE is the commit to compare with. The default is where this branch left its upstream.
.PHONY: check
check: testtools ## Run the unit and store tests of the modules that changed
	@tools/check.sh $(SINCE)

.PHONY: testtools
testtools:
	@deploy/setup.sh test
	@mkdir -p bin/tools
	@cd tools && GOWORK=off GOBIN=$(CURDIR)/bin/tools go install gotest.tools/gotestsum ./testtime
	@go build -o bin/ ./pkg/testkit/cmd/testservers

.PHONY: test-faults
test-faults: ## Break every service in every way, under load; `make test` has a short form
	@deploy/setup.sh test
	@$(MAKE) --no-print-directory build
	@FAULTS=all E2E_BIN=$(CURDIR)/bin go test -count=1 -v -timeout 30m ./e2e/faults/

# Building the S3 server takes minutes, so it is not among the other tools.
.PHONY: test-ha
test-ha: ## Fail over clusters of Postgres, Redis and an S3 server, under load
	@deploy/setup.sh ha
	@$(MAKE) --no-print-directory build
	@mkdir -p bin/tools
	@cd tools/s3 && GOWORK=off GOBIN=$(CURDIR)/bin/tools go install tool
	@HA=all E2E_BIN=$(CURDIR)/bin go test -count=1 -v -timeout 60m ./e2e/ha/

# Building the collector takes minutes, too.
.PHONY: test-observability
test-observability: ## Make every alert fire in a real Prometheus; run the dashboards' queries and the collector
	@deploy/setup.sh test
	@$(MAKE) --no-print-directory build
	@mkdir -p bin/tools
	@cd tools/collector && GOWORK=off go build -o $(CURDIR)/bin/tools/ .
	@OBSERVABILITY=all E2E_BIN=$(CURDIR)/bin go test -count=1 -v -timeout 30m ./e2e/observability/ ./e2e/drill/

# TESTS selects tests by a part of their names.
TESTS ?= .

.PHONY: test-compose
test-compose: ## Build the images; run, scale, upgrade and break docker-compose.yml
	@deploy/setup.sh test
	@e2e/compose/engine-ends.sh
	@e2e/compose/engine.sh e2e/compose/test.sh '$(TESTS)'

# UPGRADE_TESTS selects end-to-end tests of both releases; `none` runs the load only.
.PHONY: test-upgrade
test-upgrade: ## Run the previous release alongside this one, on this one's schema, under load
	@deploy/setup.sh test
	@$(MAKE) --no-print-directory build
	@from=$$(tools/release/before.sh) && \
		UPGRADE_FROM=$$from E2E_BIN=$(CURDIR)/bin exec go test -tags upgrade -count=1 -v -timeout 120m ./e2e/upgrade/

.PHONY: test-release
test-release: ## Make a release in a clone, verify it, and tamper with it
	@deploy/setup.sh test
	@tools/release/test.sh full

.PHONY: release-prepare
release-prepare: ## Move "Unreleased" to a version: make release-prepare VERSION=v1.2.3
	@tools/release/prepare.sh '$(VERSION)'

# docs/releases.md says what RELEASE_KEY and RELEASE_IMAGES are.
.PHONY: release
release: ## Check, build and sign the files of a version into bin/release: make release VERSION=v1.2.3
	@tools/release/check.sh '$(VERSION)'
	@rm -rf 'bin/release/$(VERSION)'
	@tools/release/build.sh '$(VERSION)' 'bin/release/$(VERSION)'
	@if [[ -n "$$RELEASE_KEY" ]]; then tools/release/sign.sh 'bin/release/$(VERSION)'; \
		else echo 'Nothing is signed: RELEASE_KEY names no key.' >&2; fi
	@ls -l 'bin/release/$(VERSION)'

.PHONY: verify
verify: ## Regenerate, tidy, lint, check versions; fail if anything changed
	@deploy/setup.sh test
	@$(MAKE) --no-print-directory tools
	@tools/verify.sh

.PHONY: bench
bench: setup build ## Measure the cost of requests, as ratios to a minimal server in the same run
	@rm -f bin/costs.md
	@E2E_BIN=$(CURDIR)/bin go test -run '^$$' -bench . -benchtime 1x -timeout 120m ./e2e/bench/... -costs $(CURDIR)/bin/costs.md
	@echo "Costs (bin/costs.md); docs/performance.md explains the columns:"
	@cat bin/costs.md

# ROUNDS and ROWS select how often and what to measure: make compare WITH=v1.0.0 ROUNDS=5 ROWS="me cv"
.PHONY: compare
compare: setup build ## Compare the cost of requests with another version: make compare WITH=v1.0.0
	@tools/compare.sh '$(WITH)' $(or $(ROUNDS),3) $(ROWS)

.PHONY: pictures
pictures: ## Take a picture of every page in every state: bin/pictures/index.html
	@deploy/setup.sh test
	@$(MAKE) --no-print-directory build
	@rm -rf bin/pictures
	@E2E_SCREENSHOTS=$(CURDIR)/bin/pictures E2E_BIN=$(CURDIR)/bin go test -count=1 -timeout 30m ./e2e/pictures/

.PHONY: build
build: ## Build the programs into bin/
	@mkdir -p bin
	@echo "Building; the first time takes some minutes." >&2
	@go build -o bin/ $(programs)
	@go build -o bin/ -tags grpcnotrace ./cli/cmd/vitaectl

.PHONY: clean-data
clean-data: ## Remove the data of `make run`
	@mkdir -p bin && go build -o bin/ ./deploy/standalone/cmd/vitae
	@exec bin/vitae clean-data

.PHONY: cert
cert: ## Create a certificate of an internal team for the local stack: make cert TEAM=payments
	@mkdir -p bin && go build -o bin/ ./deploy/standalone/cmd/vitae
	@bin/vitae certs $(VITAE_DATA_DIR)/tls internal/$(TEAM)
	@echo "Wrote $(VITAE_DATA_DIR)/tls/internal-$(TEAM).pem and internal-$(TEAM).key.pem"

.PHONY: setup
setup: ## Install what `make run` needs
	@deploy/setup.sh run

.PHONY: proto
proto: tools ## Generate Go and the OpenAPI document from the contracts
	@PATH="$(CURDIR)/bin/tools:$$PATH" buf lint
	@PATH="$(CURDIR)/bin/tools:$$PATH" buf generate
	@$(MAKE) --no-print-directory openapi

# The plugin uses packages of the gateway, so it needs the code that buf generates first.
.PHONY: openapi
openapi: tools ## Generate the OpenAPI document
	@go build -o bin/tools/ ./gateway/cmd/protoc-gen-vitae-openapi
	@PATH="$(CURDIR)/bin/tools:$$PATH" buf generate --template buf.gen.openapi.yaml

.PHONY: sqlc
sqlc: tools ## Generate Go from the SQL queries of the services
	@git ls-files '*sqlc.yaml' | xargs -n 1 dirname | PATH="$(CURDIR)/bin/tools:$$PATH" xargs -I {} sh -c 'cd {} && sqlc generate'

.PHONY: lint
lint: tools ## Lint Go and the contracts
	@tools/lint.sh

# The go command rebuilds only what changed.
.PHONY: tools
tools: ## Build the pinned tools into bin/tools
	@mkdir -p bin/tools
	@cd tools && GOWORK=off GOBIN=$(CURDIR)/bin/tools go install tool ./testtime
	@cd tools/openapi && GOWORK=off GOBIN=$(CURDIR)/bin/tools go install tool
	@cd tools/lint && GOWORK=off GOBIN=$(CURDIR)/bin/tools go install tool
	@cd tools/vale && GOWORK=off CGO_CFLAGS='-O1 -w' GOBIN=$(CURDIR)/bin/tools go install tool
