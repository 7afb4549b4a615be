#!/usr/bin/env bash
# Pulls the images that the Dockerfile and docker-compose.yml name. In an engine of the
# tests' own (VITAE_STAND_INS=1) it makes those that cannot be pulled, under the same names,
# from Debian's packages and the toolchain of this machine. A stand-in does what the files
# rely on: see its Dockerfile. An engine that others use must not get one.
#
#   e2e/compose/images/make.sh NAME...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# bootstrap takes Debian from where this machine takes it, security updates included.
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

# toolchain adds this machine's Go, and the authorities that it trusts, which may be those
# of a proxy that it goes through.
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
    echo "$1 cannot be pulled. With VITAE_ENGINE=own in the environment an engine of the tests' own takes stand-ins." >&2
    return 1
  fi
  echo "$1 cannot be pulled; making a stand-in" >&2
  case $1 in
    debian:*) bootstrap "$1" ;;
    golang:*) toolchain "$1" ;;
    *) stand_in "$1" ;;
  esac
}

for name; do here_or_pulled "$name"; done
