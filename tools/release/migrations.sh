#!/usr/bin/env bash
# Fails if a migration of the release before was changed or removed, or if a new one has a
# number that does not come after those of that release: databases that are at that release
# would never get it.
#
#   tools/release/migrations.sh [VERSION]
#
# VERSION is the release before; without one it is that of last.sh. What is in the tree
# counts, committed or not. Run by `make verify` and before a release.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:-$(tools/release/last.sh)}

failed=
for folder in services/*/internal/postgres/migrations; do
  newest=
  while read -r file; do
    newest=${file##*/}
    if ! git diff --quiet "$version" -- "$file"; then
      echo "$file is part of $version and must stay as it is there." >&2
      failed=yes
    fi
  done < <(git ls-tree -r --name-only "$version" -- "$folder" | grep '\.sql$' | sort)
  newest=${newest%%_*}
  while read -r file; do
    name=${file##*/}
    if [[ ! ${name%%_*} > ${newest:-0} ]]; then
      echo "$file must have a number after $newest, the last of $version." >&2
      failed=yes
    fi
  done < <(find "$folder" -name '*.sql' | sort | while read -r file; do git cat-file -e "$version:$file" 2>/dev/null || echo "$file"; done)
done
[[ -z $failed ]]
