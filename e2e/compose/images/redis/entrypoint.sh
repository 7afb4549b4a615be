#!/bin/sh
set -eu
# As Docker's own, it gives up root for the server alone.
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  find . ! -user redis -exec chown redis {} +
  exec setpriv --reuid redis --regid redis --clear-groups "$0" "$@"
fi
exec "$@"
