#!/usr/bin/env bash
# Checks the format of every Go file, lints the contracts, and lints the Go code of every module:
#
#   tools/lint.sh [format] [contracts] [code]
#
# `make lint` runs this script, and `make verify` runs it in two steps.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"
source tools/steps.sh

# golangci-lint prints the changes that .golangci.yml requires.
format() {
  if ! golangci-lint fmt --diff; then
    echo 'Some files are not formatted: run bin/tools/golangci-lint fmt' >&2
    return 1
  fi
}

# Lints the whole workspace in one run, so that shared packages are loaded only once. Only one golangci-lint runs on a
# machine at a time; it waits for runs in other worktrees.
code() {
  modules | sed 's:$:/...:' | xargs golangci-lint run --allow-serial-runners
}

if [[ $# -eq 0 ]]; then set -- format contracts code; fi
for part in "$@"; do
  case $part in
    format) step 'check the format of Go files' format ;;
    contracts) step 'lint the contracts' buf lint ;;
    code) step 'lint Go' code ;;
    *) echo "tools/lint.sh: $part is not one of format, contracts and code" >&2 && exit 2 ;;
  esac
done
