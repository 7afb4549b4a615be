#!/usr/bin/env bash
# Checks that engine.sh leaves nothing on the machine if it starts its own engine, however it
# exits: no process, namespace, mount, control group or file. If the machine's own engine is
# used, there is nothing to check.
#
#   e2e/compose/engine-ends.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ ${1-} == --use ]]; then
  # This runs inside the engine. It starts a container, so that there are bridges, mounts and
  # control groups, and then signals that it is running. The image contains a program of this
  # machine.
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

# machine lists what exists in the places to which an engine writes.
machine() {
  ls -d /etc/docker/* /opt/containerd /run/containerd/* /run/docker/* /run/docker.* "$HOME"/.docker/* /usr/sbin/policy-rc.d 2>/dev/null || true
  ip -o link | sed 's/@.*//'
  iptables-save 2>/dev/null | grep -i docker || true
}

fail() {
  echo "After an engine exited ($1): $2" >&2
  exit 1
}

# left checks what a run has left behind. All namespaces are gone when engine.sh has exited, so
# there is no need to wait.
left() {
  local how=$1 name
  for name in $(cat "$work/spaces"); do
    if find /proc/[0-9]*/ns -lname "$name" 2>/dev/null | grep .; then fail "$how" "remaining processes in $name"; fi
  done
  if grep vitae-engine /proc/self/mountinfo; then fail "$how" 'remaining mounts'; fi
  if find /sys/fs/cgroup -type d -name "$(cat "$work/spaces.state")" 2>/dev/null | grep .; then fail "$how" 'remaining control groups'; fi
  if ls -A "$TMPDIR" | grep .; then fail "$how" 'remaining files'; fi
  if ! diff <(echo "$before") <(machine); then fail "$how" 'changes on the machine'; fi
}

before=$(machine)
for how in well failing interrupted killed; do
  rm -f "$work/spaces"
  # A job has its own process group. It also receives an interrupt if this script ignores
  # interrupts, as every process started with & does.
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
  if [[ $status -ne $want ]]; then fail "$how" "exit status $status, want $want"; fi
  if [[ $how == killed ]]; then
    # The kernel kills the remaining processes, and the next engine removes the folder.
    until ! find /proc/[0-9]*/ns -lname "$(head -n 1 "$work/spaces")" 2>/dev/null | grep -q .; do sleep 0.2; done
    "$here/engine.sh" true
  fi
  left "$how"
done
echo 'An engine started by engine.sh leaves nothing behind.'
