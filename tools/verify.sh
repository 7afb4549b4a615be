#!/usr/bin/env bash
# Regenerates everything that is generated, tidies every module, lints, builds each
# module on its own, and fails if the tree is not as it was. Run by `make verify`.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"

# state is the tree with everything in it that is not committed yet, so that work
# in progress can be verified too.
state() {
  git status --porcelain --untracked-files=all
  git diff HEAD
  git ls-files -z --others --exclude-standard | xargs -0 -r sha256sum
}
before=$(state)

echo "generate from the contracts"
buf generate
go build -o bin/tools/ ./gateway/cmd/protoc-gen-vitae-openapi
buf generate --template buf.gen.openapi.yaml
while read -r config; do
  echo "generate ${config%/sqlc.yaml}"
  (cd "${config%/sqlc.yaml}" && sqlc generate)
done < <(git ls-files '*sqlc.yaml')

modules=$(sed -n 's/^\t\(\.\/.*\)/\1/p' go.work)
for module in $modules; do
  echo "tidy and build $module alone"
  (cd "$module" && GOWORK=off go mod tidy && GOWORK=off go build -o /dev/null ./... && GOWORK=off go vet ./...)
done

tools/lint.sh

echo 'lint the OpenAPI document'
tools/node.sh
node tools/node/lint-openapi.mjs gateway/internal/api/openapi/openapi.json

tools/breaking.sh
tools/breaking_test.sh

if [[ $(state) != "$before" ]]; then
  echo 'Regenerating or tidying changed files:' >&2
  git status --short >&2
  git --no-pager diff --stat >&2
  exit 1
fi
echo 'Everything is as it should be.'
