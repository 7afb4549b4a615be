#!/usr/bin/env bash
# Builds the images of this commit, pushes them to RELEASE_IMAGES, and prints their references with digests:
#
#   RELEASE_IMAGES=registry.example.com/vitae tools/release/images.sh VERSION
#
# Tags can move, so a release contains a signed list of digests.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Build from the commit, so that uncommitted files do not get into an image.
git archive "$commit" | tar -x -C "$work"
for target in auth partnercatalog candidate cvrender gateway vitaectl partner-app certs; do
  image=$RELEASE_IMAGES/$target:$version
  docker build --file "$work/deploy/docker/Dockerfile" --target "$target" --build-arg "VERSION=$version" --build-arg "REVISION=$commit" \
    --tag "$image" "$work" >&2
  for label in "version=$version" "revision=$commit"; do
    got=$(docker image inspect --format "{{index .Config.Labels \"org.opencontainers.image.${label%%=*}\"}}" "$image")
    [[ $got == "${label#*=}" ]] || { echo "release: $image has the ${label%%=*} \"$got\"" >&2; exit 1; }
  done
  docker push "$image" >&2
  digest=$(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" | sed -n "s|^$RELEASE_IMAGES/$target@||p")
  [[ $digest == sha256:* ]] || { echo "release: the registry returned no digest of $image" >&2; exit 1; }
  echo "$image@$digest"
done
