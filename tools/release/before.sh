#!/usr/bin/env bash
# Builds the programs of the previous release, for upgrade tests, and prints the path of a folder with the programs
# (bin) and their source (tree):
#
#   tools/release/before.sh [VERSION]
#
# VERSION is a tag or commit, by default the output of last.sh. Programs that are already built are not built again.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:-$(tools/release/last.sh)}
commit=$(git rev-parse --verify "$version^{commit}")
folder=$PWD/bin/before/$commit
if [[ ! -e $folder/done ]]; then
  echo "Building $version, to upgrade from; this takes a few minutes." >&2
  rm -rf "$folder"
  mkdir -p "$folder/tree" "$folder/bin"
  git archive "$commit" | tar -x -C "$folder/tree"
  cd "$folder/tree"
  stamp="-X vitae.internal/pkg/release.version=$version -X vitae.internal/pkg/release.revision=$commit"
  # Set the version explicitly, because the go command cannot determine it in a tree without history.
  GOFLAGS=-buildvcs=false go build -tags grpcnotrace -ldflags "$stamp" -o "$folder/bin/" \
    ./services/{auth,partnercatalog,candidate,cvrender}/cmd/* ./gateway/cmd/gateway ./cli/cmd/vitaectl ./deploy/standalone/cmd/vitae ./examples/partner-app
  touch "$folder/done"
fi
echo "$folder"
