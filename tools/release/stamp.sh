#!/usr/bin/env bash
# Writes a version into the files that name images, below a folder that is a copy of the
# tree. The tree itself names none: between two releases it is neither of them.
#
#   tools/release/stamp.sh VERSION FOLDER
set -euo pipefail
version=$1
cd "$2"
sed -i "s/\${VITAE_VERSION:-latest}/\${VITAE_VERSION:-$version}/; s/VERSION: \${VITAE_VERSION:-}/VERSION: \${VITAE_VERSION:-$version}/" docker-compose.yml
sed -i "s/^version: .*/version: ${version#v}/; s/^appVersion: .*/appVersion: \"$version\"/" deploy/helm/vitae/Chart.yaml
if grep -n 'VITAE_VERSION:-\(latest\)\?}' docker-compose.yml; then
  echo 'release: docker-compose.yml names an image in a way that stamp.sh does not know' >&2
  exit 1
fi
