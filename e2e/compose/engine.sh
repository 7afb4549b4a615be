#!/usr/bin/env bash
# Runs a command with a Docker Engine: the machine's, where `docker info` works, otherwise
# one of its own, which needs root and a Debian.
#
#   e2e/compose/engine.sh COMMAND [ARGUMENT...]
#
# The engine of its own lives, with the command, in namespaces of its own for processes,
# mounts and the network. When this script ends, however it ends, the kernel ends all
# processes in them, and mounts, bridges and rules of the packet filter go with them. What
# is left are a folder and empty control groups. They are removed at the end, and those of
# a run that was killed by the next one.
#
# Traffic to the outside goes through slirp4netns, a network stack in a process, so the
# machine's own network is not changed.
#
#   VITAE_ENGINE=own        takes an engine of its own although the machine has one
#   VITAE_ENGINE_DATA=DIR   keeps images and the cache of builds in DIR for the next run
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

# install takes from Debian what is missing, and keeps its packages from starting services.
install() {
  local packages=()
  [[ -x /usr/sbin/dockerd && -x /usr/bin/docker ]] || packages+=(docker.io)
  [[ -x /usr/bin/docker-compose ]] || packages+=(docker-compose)
  [[ -x /usr/sbin/debootstrap ]] || packages+=(debootstrap)
  command -v slirp4netns >/dev/null || packages+=(slirp4netns)
  command -v iptables >/dev/null || packages+=(iptables)
  command -v ip >/dev/null || packages+=(iproute2)
  if [[ ${#packages[@]} -eq 0 ]]; then return 0; fi
  command -v apt-get >/dev/null || refuse "Missing (names of Debian's packages): ${packages[*]}"
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

# remove takes a folder and the control groups of its name away. A mount in it would be
# somebody's else: those of the engine are gone with its namespace.
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

# apart has what is written below these folders end with the namespaces: an engine makes
# keys, sockets and folders there, wherever it is told to keep its data. Mounts below them,
# such as /etc/hosts in a container, do not show through, so what is needed of them is copied.
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
  echo 'nameserver 10.0.2.3' >/etc/resolv.conf # slirp4netns, which asks the machine's
}

# empty removes what a run has left in a folder that is kept, but for the images.
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
  # The command's temporary files are removed with the rest, also if it is killed.
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

# tidy runs in the trap of every end but kill -9.
tidy() {
  trap '' INT TERM HUP
  allow_services
  if [[ -n ${engine-} ]]; then
    # A namespace's first process goes when all others have gone, and unshare after it.
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
[[ $EUID -eq 0 ]] || refuse 'No Docker Engine with Compose answers here (docker info), and only root can start one.'
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
install
remove_left
# Debian's client goes with its engine; another one may stand before it in PATH.
export PATH=/usr/bin:$PATH
state=$(mktemp -d "${TMPDIR:-/tmp}/vitae-engine.XXXXXX")
chmod 755 "$state"
echo "$$" >"$state/owner"
exec 9</proc/self/ns/net
# In the background, so that a signal is taken while it runs.
setpriv --pdeathsig KILL unshare --mount --net --pid --ipc --uts --fork --kill-child=KILL --mount-proc \
  "$here/engine.sh" --inside "$state" "$@" <&0 &
engine=$!
status=0
wait "$engine" || status=$?
engine=
exit "$status"
