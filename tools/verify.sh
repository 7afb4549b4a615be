#!/usr/bin/env bash
# Checks everything that is not a test, the quick things first: regenerates what is
# generated, tidies and builds each module on its own, lints, compares the contracts
# with the last version, looks for known vulnerabilities. Fails if the tree is not as
# it was. Run by `make verify`.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"
source tools/steps.sh

# state is the tree with everything in it that is not committed yet, so that work
# in progress can be verified too.
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

# go vet compiles what a package imports and checks the types of the package and of its
# tests. Linking the programs is left to `make build`.
build_alone() {
  modules | xargs -I {} sh -c 'cd {} && GOWORK=off go vet ./...'
}

# The chart has a module outside the workspace: the types of Kubernetes bring dependencies
# that nothing else needs.
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
  # Many machines do not reach the database. That is said again at the end.
  if [[ $status == 75 ]]; then
    not_checked='known vulnerabilities'
  elif [[ $status != 0 ]]; then
    return "$status"
  fi
}

before=$(state)
step 'one version of each dependency' tools/versions.sh
tools/lint.sh format contracts
step 'generate' generate
step 'tidy' tidy
step 'nothing has changed' unchanged
step 'lint the OpenAPI document' openapi
step 'the documents and the layout of the code' go test -count=1 ./docs
step 'no program links test code' tools/linked.sh
step 'what deploy/observability ships' go test -count=1 ./e2e/observability
step 'compare with the last version' tools/breaking.sh
step 'test the comparison of versions' tools/versions_test.sh
step 'test the comparison with the last version' tools/breaking_test.sh
step 'migrations of the last version stay' tools/release/migrations.sh
step 'test how releases are made' tools/release/test.sh
step 'test the test runner' tools/test_test.sh
step 'build each module alone' build_alone
step 'render the chart for Kubernetes' eval '(chart)'
tools/lint.sh code
step 'known vulnerabilities' vulnerabilities
step 'nothing has changed' unchanged
step 'size' tools/size.sh
if [[ -n $not_checked ]]; then
  echo "Everything that could be checked is as it should be. Not checked: $not_checked (see above)."
else
  echo 'Everything is as it should be.'
fi
