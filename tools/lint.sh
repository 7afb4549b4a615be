#!/usr/bin/env bash
# Lints the Go of every module and the contracts. Run by `make lint`.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"

buf lint
unformatted=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l)
if [[ -n $unformatted ]]; then
  printf 'gofmt would change:\n%s\n' "$unformatted" >&2
  exit 1
fi
failed=
while read -r module; do
  echo "lint $module"
  (cd "$module" && go vet ./... && golangci-lint run --config "$OLDPWD/.golangci.yml" ./...) || failed=yes
done < <(sed -n 's/^\t\(\.\/.*\)/\1/p' go.work)
[[ -z $failed ]]
