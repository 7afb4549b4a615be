#!/usr/bin/env bash
# Writes a version into the files that name images, in a copy of the tree. The files in the repository contain no
# version.
#
#   tools/release/stamp.sh VERSION FOLDER
set -euo pipefail
version=$1
cd "$2"
sed -i "s/\${VITAE_VERSION:-latest}/\${VITAE_VERSION:-$version}/; s/VERSION: \${VITAE_VERSION:-}/VERSION: \${VITAE_VERSION:-$version}/" docker-compose.yml
sed -i "s/^version: .*/version: ${version#v}/; s/^appVersion: .*/appVersion: \"$version\"/" deploy/helm/vitae/Chart.yaml
if grep -n 'VITAE_VERSION:-\(latest\)\?}' docker-compose.yml; then
  echo 'release: stamp.sh cannot set the version of an image in docker-compose.yml' >&2
  exit 1
fi
