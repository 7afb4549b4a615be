#!/usr/bin/env bash
# Checks that an engine of the tests' own leaves nothing on the machine, however it ends:
# no process, namespace, mount, control group or file. On a machine whose own engine is
# taken there is nothing to check.
#
#   e2e/compose/engine-ends.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ ${1-} == --use ]]; then
  # In the engine: a container, so that there are bridges, mounts and groups, and a sign
  # that it is there. The image is a program of this machine.
  mapfile -t libraries < <(ldd /bin/sleep | grep -o '/[^ ]*')
  tar --create --dereference /bin/sleep "${libraries[@]}" 2>/dev/null | docker import - sleeper >/dev/null
  docker run --detach --restart always sleeper /bin/sleep 1000 >/dev/null
  touch "$TMPDIR/left"
  basename "$(dirname "$TMPDIR")" >"$2.state"
  readlink /proc/self/ns/{pid,net,mnt} >"$2.new"
  mv "$2.new" "$2"
  case $3 in
    well) exit 0 ;;
    failing) exit 3 ;;
    interrupted | killed) exec sleep 1000 ;;
  esac
fi

if [[ ${VITAE_ENGINE-} != own ]] && docker info >/dev/null 2>&1; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VITAE_ENGINE=own TMPDIR=$work/tmp
unset VITAE_ENGINE_DATA
mkdir "$TMPDIR"

# machine is what there is where an engine writes.
machine() {
  ls -d /etc/docker/* /opt/containerd /run/containerd/* /run/docker/* /run/docker.* "$HOME"/.docker/* /usr/sbin/policy-rc.d 2>/dev/null || true
  ip -o link | sed 's/@.*//'
  iptables-save 2>/dev/null | grep -i docker || true
}

fail() {
  echo "An engine that ended $1: $2" >&2
  exit 1
}

# left tells what a use has left. Namespaces of processes that are being ended have gone
# when engine.sh has ended, so nothing is waited for.
left() {
  local how=$1 name
  for name in $(cat "$work/spaces"); do
    if find /proc/[0-9]*/ns -lname "$name" 2>/dev/null | grep .; then fail "$how" "processes in $name"; fi
  done
  if grep vitae-engine /proc/self/mountinfo; then fail "$how" 'mounts'; fi
  if find /sys/fs/cgroup -type d -name "$(cat "$work/spaces.state")" 2>/dev/null | grep .; then fail "$how" 'control groups'; fi
  if ls -A "$TMPDIR" | grep .; then fail "$how" 'files'; fi
  if ! diff <(echo "$before") <(machine); then fail "$how" 'the machine is another'; fi
}

before=$(machine)
for how in well failing interrupted killed; do
  rm -f "$work/spaces"
  # A job has a process group of its own. It takes an interrupt also where this script
  # ignores them, as everything does that a script has started with &.
  set -m
  env --default-signal=INT "$here/engine.sh" "$here/engine-ends.sh" --use "$work/spaces" "$how" &
  runs=$!
  set +m
  until [[ -e $work/spaces ]]; do
    if ! kill -0 "$runs" 2>/dev/null && [[ ! -e $work/spaces ]]; then fail "$how" 'it did not start'; fi
    sleep 0.2
  done
  case $how in
    interrupted) kill -INT -- "-$runs" ;;
    killed) kill -KILL "$runs" ;;
  esac
  status=0
  wait "$runs" 2>/dev/null || status=$?
  case $how in well) want=0 ;; failing) want=3 ;; interrupted) want=130 ;; killed) want=137 ;; esac
  if [[ $status -ne $want ]]; then fail "$how" "its status is $status, not $want"; fi
  if [[ $how == killed ]]; then
    # The kernel ends the rest, and the next engine removes the folder.
    until ! find /proc/[0-9]*/ns -lname "$(head -n 1 "$work/spaces")" 2>/dev/null | grep -q .; do sleep 0.2; done
    "$here/engine.sh" true
  fi
  left "$how"
done
echo 'An engine of our own leaves nothing behind.'
