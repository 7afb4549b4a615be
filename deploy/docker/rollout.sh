#!/bin/sh
# Replaces the containers of parts by ones of the image and settings that are named now,
# one part after the other, without a failed request: beside each container a new one is
# started, and when all new ones are healthy and known to their callers, the old ones stop.
# Where a new one does not become healthy, the new ones are removed and the old ones stay.
#
#   deploy/docker/rollout.sh auth partnercatalog candidate cvrender gateway
#
# VITAE_VERSION in .env names the version; the same command with the earlier one goes back.
set -eu
cd "$(dirname "$0")/../.."
compose() {
  if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}
# Callers look a name up every five seconds, and the proxy checks every two.
known=${VITAE_ROLLOUT_PAUSE:-10}
patience=${VITAE_ROLLOUT_PATIENCE:-180}

health() { docker inspect --format '{{.State.Health.Status}}' "$1"; }

# healthy IDS...: all are, within the patience.
healthy() {
  left=$patience
  for id; do
    until [ "$(health "$id")" = healthy ]; do
      left=$((left - 1))
      if [ "$left" -le 0 ]; then return 1; fi
      sleep 1
    done
  done
}

retire() {
  for id; do
    docker stop "$id" >/dev/null
    docker rm "$id" >/dev/null
  done
}

for part; do
  old=$(compose ps -q "$part")
  count=$(echo "$old" | grep -c .) || { echo "$part does not run." >&2; exit 1; }
  compose up --detach --no-deps --no-build --no-recreate --scale "$part=$((count * 2))" "$part"
  new=$(compose ps -q "$part" | grep -vxF "$old") || { echo "$part: no new container was started." >&2; exit 1; }
  # shellcheck disable=SC2086 # one word an id
  if ! healthy $new; then
    echo "$part: a new container is not healthy; the old ones stay. Its log ends so:" >&2
    for id in $new; do docker logs --tail 20 "$id" >&2; done
    retire $new
    exit 1
  fi
  sleep "$known"
  # shellcheck disable=SC2086
  retire $old
  echo "$part: $count replaced."
done
