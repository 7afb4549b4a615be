#!/usr/bin/env bash
# Moves the "Unreleased" sections of the changelog and the upgrade notes to a version, for you to review and commit:
#
#   tools/release/prepare.sh VERSION [DATE]
#
# DATE has the form "2 January 2006"; the default is today. `make release-prepare` runs this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/release/version.sh

version=${1:-}
semver "$version" || refuse "\"$version\" is not a version such as v1.2.3 or v1.2.3-rc.1"
date=${2:-$(LC_ALL=C date -u '+%-d %B %Y')}
last=$(tools/release/last.sh HEAD)
if semver "$last" && ! greater "$version" "$last"; then refuse "$version does not come after $last"; fi
[[ -z $(section "$version") ]] || refuse "CHANGELOG.md has a section $version already"
changes Unreleased || refuse 'CHANGELOG.md has nothing under Unreleased'

# Links to the unreleased upgrade notes must name the new version.
awk -v version="$version" -v date="$date" -v anchor="$(anchor "$version")" '
  /^## Unreleased$/ { print; print ""; print "## " version ", " date; next }
  { gsub(/docs\/upgrading\.md#unreleased/, "docs/upgrading.md#" anchor); print }
' CHANGELOG.md >CHANGELOG.md.new
awk -v version="$version" '
  /^## Unreleased$/ { print; print ""; print "This version needs no steps in addition to the [rules](#the-rules)."; print ""; print "## " version; next }
  { print }
' docs/upgrading.md >docs/upgrading.md.new
mv CHANGELOG.md.new CHANGELOG.md
mv docs/upgrading.md.new docs/upgrading.md
echo "CHANGELOG.md and docs/upgrading.md have the section $version. Review and commit them, and tag the commit $version."
