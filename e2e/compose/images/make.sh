#!/usr/bin/env bash
# Pulls the images that the Dockerfile and docker-compose.yml name. In the tests' private engine
# (VITAE_STAND_INS=1), it builds substitutes with the same names for images that cannot be pulled, from Debian
# packages and this machine's toolchain. A substitute does only what the files rely on; see its Dockerfile.
# Never build substitutes in an engine that is also used for anything else.
#
#   e2e/compose/images/make.sh NAME...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# bootstrap installs Debian from the package sources of this machine, including security
# updates.
bootstrap() {
  local root sources
  root=$(mktemp -d)
  sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian')
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$(awk '$3 == "bookworm" {print $2; exit}' <<<"$sources")" >/dev/null
  echo "$sources" >"$root/etc/apt/sources.list"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  tar --directory "$root" --create --one-file-system --exclude=./dev/* . | docker import --change 'CMD ["bash"]' - "$1" >/dev/null
  rm -rf "$root"
}

# toolchain adds this machine's Go and its trusted certificate authorities, which may include
# the authority of a proxy.
toolchain() {
  local goroot
  goroot=$(go env GOROOT)
  here_or_pulled debian:bookworm-slim
  local id
  id=$(docker create --env PATH=/usr/local/go/bin:/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin debian:bookworm-slim)
  tar --directory "$(dirname "$goroot")" --create --transform "s,^$(basename "$goroot"),go," "$(basename "$goroot")" | docker cp - "$id:/usr/local"
  docker cp --follow-link /etc/ssl/certs/ca-certificates.crt "$id:/etc/ssl/certs/ca-certificates.crt"
  docker commit --change 'ENV PATH=/usr/local/go/bin:/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin GOPATH=/go GOTOOLCHAIN=local' "$id" "$1" >/dev/null
  docker rm "$id" >/dev/null
}

stand_in() {
  here_or_pulled debian:bookworm-slim
  DOCKER_BUILDKIT=1 docker build --quiet --tag "$1" "$here/${1%%:*}" >/dev/null
}

here_or_pulled() {
  if docker image inspect "$1" >/dev/null 2>&1; then return 0; fi
  if timeout 600 docker pull --quiet "$1" >/dev/null 2>&1; then return 0; fi
  if [[ -z ${VITAE_STAND_INS-} ]]; then
    echo "$1 cannot be pulled. Set VITAE_ENGINE=own to use a private engine with substitute images." >&2
    return 1
  fi
  echo "$1 cannot be pulled; building a substitute" >&2
  case $1 in
    debian:*) bootstrap "$1" ;;
    golang:*) toolchain "$1" ;;
    *) stand_in "$1" ;;
  esac
}

for name; do here_or_pulled "$name"; done
