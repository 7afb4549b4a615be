#!/usr/bin/env bash
# Checks the English of comments and documents with the rules in tools/vale. Folders that are
# not in plain English yet are listed in tools/vale/pending.txt; remove one when it passes.
#
#   tools/prose.sh [FOLDER...]
#
# Without a folder it checks the whole tree except the pending ones. Run by `make verify`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $# -eq 0 ]]; then
  mapfile -t files < <(git ls-files '*.go' '*.proto' '*.md' | grep -vE '(^|/)(gen|sqlc)/' | grep -vFf tools/vale/pending.txt)
  set -- "${files[@]}"
fi
bin/tools/vale --config tools/vale/.vale.ini --no-wrap --output line "$@"
