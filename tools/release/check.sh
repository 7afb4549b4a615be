#!/usr/bin/env bash
# Fails if this commit cannot be released:
#
#   tools/release/check.sh VERSION
#
# `make release` runs this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/release/version.sh

version=${1:-}
semver "$version" || refuse "\"$version\" is not a version such as v1.2.3 or v1.2.3-rc.1 (make release VERSION=v1.2.3)"
[[ -z $(git status --porcelain) ]] || refuse 'there are uncommitted changes:' "$(git status --short)"
if tagged=$(git rev-parse --verify --quiet "refs/tags/$version^{commit}") && [[ $tagged != $(git rev-parse HEAD) ]]; then
  refuse "$version is the tag of another commit, $tagged"
fi
last=$(tools/release/last.sh)
if semver "$last"; then
  greater "$version" "$last" || refuse "$version does not come after $last"
fi
changes "$version" || refuse "CHANGELOG.md has no section $version (make release-prepare VERSION=$version)"
! changes Unreleased || refuse "CHANGELOG.md has changes under Unreleased, which would be part of $version"
grep -qx "## $version" docs/upgrading.md || refuse "docs/upgrading.md has no section $version"
tools/release/migrations.sh "$last" || refuse "databases of $last cannot be upgraded"
echo "$version can be released, after $last."
