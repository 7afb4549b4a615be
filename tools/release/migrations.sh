#!/usr/bin/env bash
# Fails if a migration of the previous release was changed or removed, or if a new migration has a lower number than the
# last migration of that release. Databases of that release would skip it.
#
#   tools/release/migrations.sh [VERSION]
#
# VERSION is the previous release, by default the output of last.sh. Uncommitted changes count too. `make verify` and
# `make release` run this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:-$(tools/release/last.sh)}

failed=
for folder in services/*/internal/postgres/migrations; do
  newest=
  while read -r file; do
    newest=${file##*/}
    if ! git diff --quiet "$version" -- "$file"; then
      echo "$file is part of $version and must not change." >&2
      failed=yes
    fi
  done < <(git ls-tree -r --name-only "$version" -- "$folder" | grep '\.sql$' | sort)
  newest=${newest%%_*}
  while read -r file; do
    name=${file##*/}
    if [[ ! ${name%%_*} > ${newest:-0} ]]; then
      echo "$file must have a number after $newest, the last migration of $version." >&2
      failed=yes
    fi
  done < <(find "$folder" -name '*.sql' | sort | while read -r file; do git cat-file -e "$version:$file" 2>/dev/null || echo "$file"; done)
done
[[ -z $failed ]]
