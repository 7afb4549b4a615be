#!/usr/bin/env bash
# Runs a command with a Docker Engine: the machine's engine if `docker info` works, otherwise a
# private engine, which requires root and Debian.
#
#   e2e/compose/engine.sh COMMAND [ARGUMENT...]
#
# A private engine and the command run in their own process, mount and network namespaces. When
# this script exits, for whatever reason, the kernel kills all processes in the namespaces and
# removes their mounts, bridges and packet filter rules. A folder and empty control groups
# remain. This script removes them when it exits; if it was killed, the next run removes them.
#
# Traffic to the outside uses slirp4netns, a network stack in a process, so the machine's own
# network is not changed.
#
#   VITAE_ENGINE=own        starts a private engine even if the machine has an engine
#   VITAE_ENGINE_DATA=DIR   stores images and the build cache in DIR for the next run
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

refuse() {
  printf '%s\n' "$@" >&2
  exit 1
}

machine_has_one() {
  [[ ${VITAE_ENGINE-} != own ]] && docker info >/dev/null 2>&1 &&
    { docker compose version || docker-compose version; } >/dev/null 2>&1
}

# install installs missing Debian packages, and prevents them from starting services.
install() {
  local packages=()
  [[ -x /usr/sbin/dockerd && -x /usr/bin/docker ]] || packages+=(docker.io)
  [[ -x /usr/bin/docker-compose ]] || packages+=(docker-compose)
  [[ -x /usr/sbin/debootstrap ]] || packages+=(debootstrap)
  command -v slirp4netns >/dev/null || packages+=(slirp4netns)
  command -v iptables >/dev/null || packages+=(iptables)
  command -v ip >/dev/null || packages+=(iproute2)
  if [[ ${#packages[@]} -eq 0 ]]; then return 0; fi
  command -v apt-get >/dev/null || refuse "Missing Debian packages: ${packages[*]}"
  echo "Installing: ${packages[*]}" >&2
  if [[ ! -e /usr/sbin/policy-rc.d ]]; then
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"; } >&2
  allow_services
}

allow_services() {
  if [[ -n ${policy-} ]]; then rm -f "$policy"; fi
  policy=
}

# remove deletes a folder and the control groups with its name. It does not delete mounts in
# the folder: the engine's mounts are gone with its namespace, so any other mount is not its
# own.
remove() {
  find /sys/fs/cgroup -depth -type d -path "*/${1##*/}*" -exec rmdir {} + 2>/dev/null || true
  rm -rf --one-file-system "$1"
}

remove_left() {
  local left owner
  for left in "${TMPDIR:-/tmp}"/vitae-engine.*; do
    owner=$(cat "$left/owner" 2>/dev/null) || continue
    if [[ ! -e /proc/$owner ]]; then remove "$left"; fi
  done
}

# apart redirects writes in these folders to a file system that is removed with the namespaces.
# An engine creates keys, sockets and folders there, wherever its data folder is. Mounts below
# the folders, such as /etc/hosts in a container, become invisible, so the necessary files are
# copied.
apart() {
  local folder hosts
  hosts=$(cat /etc/hosts)
  mkdir "$1/over"
  mount -t tmpfs tmpfs "$1/over"
  for folder in etc opt run; do
    mkdir "$1/over/$folder" "$1/over/$folder.work"
    mount -t overlay -o "lowerdir=/$folder,upperdir=$1/over/$folder,workdir=$1/over/$folder.work" overlay "/$folder"
  done
  printf '%s\n' "$hosts" >/etc/hosts
  rm -f /etc/resolv.conf
  echo 'nameserver 10.0.2.3' >/etc/resolv.conf # slirp4netns, which forwards to the machine's name server
}

# empty removes everything except images, which a persistent data folder retains for the next
# run.
empty() {
  docker ps --all --quiet | xargs -r docker rm --force --volumes
  docker volume ls --quiet | xargs -r docker volume rm
  docker network prune --force
} >/dev/null

# inside runs as the first process of the namespaces.
inside() {
  local state=$1
  shift
  mkdir -p "$state/exec" "$state/data" "$state/tmp"
  apart "$state"
  ip link set lo up
  # File descriptor 9 is the machine's network namespace.
  nsenter --net=/proc/self/fd/9 slirp4netns --configure --mtu=65520 --disable-host-loopback 1 tap0 >"$state/slirp4netns.log" 2>&1 &
  exec 9<&-
  # The command's temporary files are removed with everything else, even if it is killed.
  export DOCKER_HOST=unix://$state/docker.sock DOCKER_CONFIG=$state/docker TMPDIR=$state/tmp VITAE_STAND_INS=1
  dockerd --host "$DOCKER_HOST" --data-root "${VITAE_ENGINE_DATA:-$state/data}" --exec-root "$state/exec" --pidfile "$state/docker.pid" \
    --cgroup-parent "/${state##*/}" >"$state/dockerd.log" 2>&1 &
  local tries
  for ((tries = 0; tries < 60; tries++)); do
    if docker info >/dev/null 2>&1 && ip -4 address show dev tap0 2>/dev/null | grep -q inet; then break; fi
    sleep 1
  done
  if ! docker info >/dev/null; then
    tail -n 30 "$state/dockerd.log" "$state/slirp4netns.log" >&2
    refuse 'The engine did not start.'
  fi
  empty
  local status=0
  "$@" || status=$?
  empty
  return "$status"
}

# tidy runs on every exit except after kill -9.
tidy() {
  trap '' INT TERM HUP
  allow_services
  if [[ -n ${engine-} ]]; then
    # The first process of a namespace exits after all others, and then unshare exits.
    local first
    first=$(grep -ls "^PPid:[[:space:]]*$engine\$" /proc/[0-9]*/status) || first=/proc/$engine/status
    first=${first#/proc/}
    kill -KILL "${first%%/*}" 2>/dev/null || true
    wait "$engine" || true
  fi
  if [[ -n ${state-} ]]; then remove "$state"; fi
}

if [[ ${1-} == --inside ]]; then
  shift
  inside "$@"
  exit
fi
if machine_has_one; then exec "$@"; fi
[[ $EUID -eq 0 ]] || refuse 'No Docker Engine with Compose is running (docker info), and only root can start one.'
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
install
remove_left
# Debian's client matches the engine; PATH may contain a different client first.
export PATH=/usr/bin:$PATH
state=$(mktemp -d "${TMPDIR:-/tmp}/vitae-engine.XXXXXX")
chmod 755 "$state"
echo "$$" >"$state/owner"
exec 9</proc/self/ns/net
# This runs in the background, so signals are handled while it runs.
setpriv --pdeathsig KILL unshare --mount --net --pid --ipc --uts --fork --kill-child=KILL --mount-proc \
  "$here/engine.sh" --inside "$state" "$@" <&0 &
engine=$!
status=0
wait "$engine" || status=$?
engine=
exit "$status"
