#!/usr/bin/env bash
# Checks the English of comments and documents with the rules in tools/vale:
#
#   tools/prose.sh [FILE...]
#
# Without arguments, it checks the whole tree. `make verify` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $# -eq 0 ]]; then
  mapfile -t files < <(git ls-files '*.go' '*.proto' '*.md' | grep -vE '(^|/)(gen|sqlc|third_party)/')
  set -- "${files[@]}"
fi
bin/tools/vale --config tools/vale/.vale.ini --no-wrap --output line "$@"
