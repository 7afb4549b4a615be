#!/usr/bin/env bash
# Prints the previous release: the last release tag before the newest commit, which may have a tag itself. Pre-releases,
# such as v1.2.0-rc.1, do not count. Before the first tag, it prints the newest commit that changed a database baseline,
# because releases start from that schema.
#
#   tools/release/last.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/../.."
git describe --tags --abbrev=0 --match 'v[0-9]*' --exclude '*-*' "${1:-HEAD}^" 2>/dev/null ||
  git log -1 --format=%H "${1:-HEAD}" -- 'services/*/internal/postgres/migrations/00001_baseline.sql'
