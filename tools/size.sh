#!/usr/bin/env bash
# Prints the size of the repository: lines of hand-written Go, words of Markdown, decision records and migrations.
# `make verify` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."

# go_lines counts the lines of tracked, hand-written Go files whose path matches.
go_lines() {
  git ls-files '*.go' | grep "$@" | xargs grep -L '^// Code generated .* DO NOT EDIT\.$' | xargs cat | wc -l
}

row() { printf '%-34s %8s\n' "$1" "$2"; }

row 'Go without tests, lines' "$(go_lines -v '_test\.go$')"
row 'Go tests, lines' "$(go_lines '_test\.go$')"
row 'Markdown, words' "$(git ls-files -z '*.md' | xargs -0 cat | wc -w)"
row 'decision records' "$(git ls-files 'docs/adr/0*.md' | wc -l)"
for service in auth candidate partnercatalog; do
  row "migrations of $service" "$(git ls-files "services/$service/internal/postgres/migrations/*.sql" | wc -l)"
done
