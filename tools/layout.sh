#!/usr/bin/env bash
# Fails if a folder has more than 15 hand-written Go files, not counting tests, or a type has more than 25 methods,
# because it then covers several subjects. Packages named …test are exempt from the limit on methods, because they may
# contain a fake of a whole service. `make verify` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."

flat='^cli/internal/cmd$' # a list of commands
# The exceptions are the commands of vitaectl, the page kit, and a Chromium driver.
large='^(cli/internal/cmd\.app|gateway/internal/web\.Site|e2e/internal/browser\.Browser|[a-z/]*test\.[A-Za-z]*):'

files=$(git ls-files '*.go' | grep -v '_test\.go$' | xargs grep -L '^// Code generated .* DO NOT EDIT\.$')
folders=$(sed 's:/[^/]*$::' <<<"$files" | grep -vE "$flat" | sort | uniq -c | awk '$1 > 15 {print $2 ": " $1 " files, at most 15"}')
types=$(xargs grep -HoE '^func \(([a-z]\w* )?\*?[A-Za-z]\w*' <<<"$files" |
  sed -E 's:/[^/]*\.go\:func \(([a-z]\w* )?\*?: :' | sort | uniq -c | awk '$1 > 25 {print $2 "." $3 ": " $1 " methods, at most 25"}' | grep -vE "$large" || true)
[[ -z $folders$types ]] || { printf '%s\n' "$folders" "$types" | grep . >&2; exit 1; }
