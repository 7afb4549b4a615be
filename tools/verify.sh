#!/usr/bin/env bash
# Runs all checks other than tests, quick checks first. It regenerates code, tidies modules, builds each module on its
# own, lints, compares the contracts with the last version, and looks for known vulnerabilities. It fails if the tree
# changes. `make verify` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"
source tools/steps.sh

# state prints a description of the tree, including uncommitted changes, so that work in progress can be verified.
state() {
  git status --porcelain --untracked-files=all
  git diff HEAD
  git ls-files -z --others --exclude-standard | xargs -0 -r sha256sum
}

generate() {
  buf generate
  go build -o bin/tools/ ./gateway/cmd/protoc-gen-vitae-openapi
  buf generate --template buf.gen.openapi.yaml
  git ls-files '*sqlc.yaml' | xargs -n 1 -P 2 dirname | xargs -P 2 -I {} sh -c 'cd {} && sqlc generate'
}

tidy() {
  modules | xargs -P 2 -I {} sh -c 'cd {} && GOWORK=off go mod tidy'
}

unchanged() {
  [[ $(state) == "$before" ]] && return
  echo 'Regenerating or tidying changed files:' >&2
  git status --short >&2
  git --no-pager diff --stat >&2
  return 1
}

# go vet compiles each package with its imports and tests. Nothing needs to be linked here; `make build` does
# that.
build_alone() {
  modules | xargs -I {} sh -c 'cd {} && GOWORK=off go vet ./...'
}

# The chart's module is outside the workspace, because only this module needs the Kubernetes types.
chart() {
  cd deploy/helm && GOWORK=off go mod tidy -diff && GOWORK=off go test -count=1 ./...
}

openapi() {
  tools/node.sh
  node tools/node/lint-openapi.mjs gateway/internal/api/openapi/openapi.json
}

not_checked=
vulnerabilities() {
  local status=0
  tools/vulnerabilities.sh || status=$?
  # Many machines cannot reach the vulnerability database, so the end of the output repeats that nothing was checked.
  if [[ $status == 75 ]]; then
    not_checked='known vulnerabilities'
  elif [[ $status != 0 ]]; then
    return "$status"
  fi
}

before=$(state)
step 'check for one version of each dependency' tools/versions.sh
tools/lint.sh format contracts
step 'generate' generate
step 'tidy' tidy
step 'check that nothing has changed' unchanged
step 'lint the OpenAPI document' openapi
step 'check the documents' go test -count=1 ./docs
step 'check the English' tools/prose.sh
step 'check that no program links test code' tools/linked.sh
step 'check the sizes of folders and types' tools/layout.sh
step 'check deploy/observability' go test -count=1 ./e2e/observability
step 'compare with the last version' tools/breaking.sh
step 'test the comparison of versions' tools/versions_test.sh
step 'test the comparison with the last version' tools/breaking_test.sh
step 'check the migrations of the last version' tools/release/migrations.sh
step 'test the release scripts' tools/release/test.sh
step 'test the test runner' tools/test_test.sh
step 'build each module on its own' build_alone
step 'render the chart for Kubernetes' eval '(chart)'
tools/lint.sh code
step 'look for known vulnerabilities' vulnerabilities
step 'check that nothing has changed' unchanged
step 'size' tools/size.sh
if [[ -n $not_checked ]]; then
  echo "All checks passed. Not checked: $not_checked (see above)."
else
  echo 'All checks passed.'
fi
