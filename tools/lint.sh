#!/usr/bin/env bash
# Checks the format of every Go file, lints the contracts, and lints the Go of every
# module:
#
#   tools/lint.sh [format] [contracts] [code]
#
# Run by `make lint`, and in two parts by `make verify`.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/bin/tools:$PATH"
source tools/steps.sh

# golangci-lint prints the changes that it would make by .golangci.yml.
format() {
  if ! golangci-lint fmt --diff; then
    echo 'Some files are not formatted: run bin/tools/golangci-lint fmt' >&2
    return 1
  fi
}

# One run for the whole workspace, so that shared packages are read once. golangci-lint runs
# once at a time on a machine, and waits for other worktrees.
code() {
  modules | sed 's:$:/...:' | xargs golangci-lint run --allow-serial-runners
}

if [[ $# -eq 0 ]]; then set -- format contracts code; fi
for part in "$@"; do
  case $part in
    format) step 'the format of Go files' format ;;
    contracts) step 'lint the contracts' buf lint ;;
    code) step 'lint Go' code ;;
    *) echo "tools/lint.sh: $part is none of format, contracts and code" >&2 && exit 2 ;;
  esac
done
