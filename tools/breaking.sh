#!/usr/bin/env bash
# Compares the contracts and the OpenAPI document with an earlier version, by default the last tag, and fails on changes
# that would break a client:
#
#   tools/breaking.sh [VERSION]
#
# Fields may be added. They may not be removed, and their types may not change (behaviour: openapi#breaking-changes).
# `make verify` runs this script, in the root of the clone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export PATH="${TOOLS:-$here/../bin/tools}:$PATH"

document=gateway/internal/api/openapi/openapi.json
version=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [[ -z $version ]]; then
  echo 'No version is tagged yet, so the contracts are not compared.'
  exit
fi

failed=
echo "compare the contracts with $version"
buf breaking --against ".git#ref=$(git rev-parse "$version^{commit}")" || failed=yes

echo "compare the OpenAPI document with $version"
before=$(mktemp --suffix .json)
trap 'rm -f "$before"' EXIT
if git show "$version:$document" >"$before" 2>/dev/null; then
  oasdiff breaking "$before" "$document" --fail-on WARN --severity-levels "$here/openapi/severity.txt" || failed=yes
else
  echo "$version has no OpenAPI document."
fi
[[ -z $failed ]]
