#!/bin/sh
# Replaces the containers of services with new ones that have the current image and settings, one service after another,
# without failed requests. It starts a new container for each old one, waits until all of them are healthy and callers
# have found them, and then stops the old containers. If a new container does not become healthy, the script removes the
# new containers and keeps the old ones.
#
#   deploy/docker/rollout.sh auth partnercatalog candidate cvrender gateway
#
# VITAE_VERSION in .env selects the version. To go back, set the earlier version and run the script again.
set -eu
cd "$(dirname "$0")/../.."
compose() {
  if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}
# Callers resolve names every five seconds, and the proxy runs its checks every two seconds.
known=${VITAE_ROLLOUT_PAUSE:-10}
patience=${VITAE_ROLLOUT_PATIENCE:-180}

health() { docker inspect --format '{{.State.Health.Status}}' "$1"; }

# healthy IDS... waits until all containers are healthy, for at most $patience seconds.
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
  count=$(echo "$old" | grep -c .) || { echo "$part is not running." >&2; exit 1; }
  compose up --detach --no-deps --no-build --no-recreate --scale "$part=$((count * 2))" "$part"
  new=$(compose ps -q "$part" | grep -vxF "$old") || { echo "$part: no new container was started." >&2; exit 1; }
  # shellcheck disable=SC2086 # one word per id
  if ! healthy $new; then
    echo "$part: a new container is not healthy; the old ones stay. The end of its log:" >&2
    for id in $new; do docker logs --tail 20 "$id" >&2; done
    retire $new
    exit 1
  fi
  sleep "$known"
  # shellcheck disable=SC2086
  retire $old
  echo "$part: $count replaced."
done
