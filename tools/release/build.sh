#!/usr/bin/env bash
# Builds the files of a release from this commit:
#
#   tools/release/build.sh VERSION FOLDER
#
# The same commit and Go release produce the same bytes in any folder. With RELEASE_IMAGES=registry.example.com/vitae,
# the script also builds and pushes the images, and lists their digests in images.txt. With RELEASE_ARCHES=amd64, it
# builds only one architecture. docs/releases.md describes the files. `make release` runs this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
commit=$(git rev-parse HEAD)
time=$(git log -1 --format=%ct)
[[ -z $(ls -A "$out") ]] || { echo "release: $out is not empty" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Build as deploy/docker/Dockerfile does, but set everything that the environment could change.
programs=(./services/{auth,partnercatalog,candidate,cvrender}/cmd/* ./gateway/cmd/gateway ./cli/cmd/vitaectl ./deploy/standalone/cmd/{vitae,probe})
stamps="-s -w -X 'vitae.internal/pkg/release.version=$version' -X 'vitae.internal/pkg/release.revision=$commit'"
compile() {
  env GOOS=linux "GOARCH=$1" CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT= GOFLAGS= \
    go build -trimpath -buildvcs=false -tags grpcnotrace -ldflags "$stamps" -o "$2/" "${programs[@]}"
}
# pack FOLDER NAME... writes a compressed tar archive whose bytes depend only on the files.
pack() {
  tar --create --directory "$1" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --mtime="@$time" "${@:2}" | gzip --no-name
}

go build -o "$work/sbom" ./tools/release/sbom
for arch in ${RELEASE_ARCHES:-amd64 arm64}; do
  echo "Building for linux/$arch." >&2
  name=vitae_${version}_linux_$arch
  mkdir -p "$work/$name"
  compile "$arch" "$work/$name"
  pack "$work" "$name" >"$out/$name.tar.gz"
  mkdir "$work/vitaectl_${version}_linux_$arch"
  cp "$work/$name/vitaectl" "$work/vitaectl_${version}_linux_$arch/"
  pack "$work" "vitaectl_${version}_linux_$arch" >"$out/vitaectl_${version}_linux_$arch.tar.gz"
  for program in "$work/$name"/*; do
    "$work/sbom" -version "$version" -revision "$commit" "$program" >"$out/${program##*/}_${version}_linux_$arch.cdx.json"
  done
done

# Pack the files for deployments, stamped with this version.
deploy=vitae_${version}_deploy
mkdir "$work/$deploy"
git archive "$commit" docker-compose.yml docker-compose.tls.yml deploy/docker deploy/helm/README.md deploy/helm/vitae deploy/observability \
  docs/operations.md docs/upgrading.md docs/releases.md CHANGELOG.md SECURITY.md | tar -x -C "$work/$deploy"
tools/release/stamp.sh "$version" "$work/$deploy"
pack "$work" "$deploy" >"$out/$deploy.tar.gz"

if [[ -n ${RELEASE_IMAGES:-} ]]; then tools/release/images.sh "$version" >"$out/images.txt"; fi

# Write the provenance of the files (https://slsa.dev/spec/v1.0/provenance).
(cd "$out" && sha256sum -- *) | jq -Rn --arg version "$version" --arg commit "$commit" --arg go "$(go env GOVERSION)" --arg builder "${RELEASE_BUILDER:-by hand}" '{
  _type: "https://in-toto.io/Statement/v1",
  subject: [inputs | split("  ") | {name: .[1], digest: {sha256: .[0]}}],
  predicateType: "https://slsa.dev/provenance/v1",
  predicate: {
    buildDefinition: {
      buildType: "make release",
      externalParameters: {VERSION: $version},
      resolvedDependencies: [{name: "source", digest: {gitCommit: $commit}}, {name: "go", annotations: {version: $go}}]
    },
    runDetails: {builder: {id: $builder}}
  }
}' >"$work/provenance.json"
mv "$work/provenance.json" "$out/provenance.json"
(source tools/release/version.sh && section "$version") >"$out/notes.md"
(cd "$out" && sha256sum -- * >"$work/SHA256SUMS")
mv "$work/SHA256SUMS" "$out/SHA256SUMS"
